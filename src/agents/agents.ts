import { claudeCode } from './claude-code.ts';
import type { Agent } from './event.ts';

/** Every host that git-mem knows; adding one is its file and its line here. */
export const AGENTS: readonly Agent[] = [claudeCode];

/** The adapter of a host by its name, as in `git-mem hook HOST EVENT`. */
export function findAgent(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}
