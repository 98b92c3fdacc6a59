import type { McpCaller } from '../../capture/by-hand/saving-agent.ts';

/** The time of a tool call, and what is known about the caller. */
export interface Call {
  now: Date;
  caller: McpCaller;
}
