import type { McpCaller } from '../../capture/by-hand/saving-agent.ts';

/** When a tool is called, and what is known of who calls it. */
export interface Call {
  now: Date;
  caller: McpCaller;
}
