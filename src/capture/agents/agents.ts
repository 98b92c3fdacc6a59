import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { Agent, SessionLogs } from './event.ts';
import { factoryDroid } from './factory-droid.ts';
import { geminiCli } from './gemini-cli.ts';
import { grok } from './grok.ts';
import { kimiCode } from './kimi-code.ts';
import { kiro } from './kiro.ts';
import { kilo, opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwenCode } from './qwen-code.ts';
import { transcript } from './transcript.ts';
import { windsurf } from './windsurf.ts';

/** Every host that git-mem knows; CONTRIBUTING.md says what a new one needs. */
export const AGENTS: readonly Agent[] = [
  claudeCode,
  codex,
  geminiCli,
  // Before OpenCode, whose variable Kilo's shells have too.
  kilo,
  opencode,
  qwenCode,
  cursor,
  copilot,
  factoryDroid,
  windsurf,
  cline,
  kiro,
  pi,
  grok,
  kimiCode,
];

/** A host whose sessions can be read from its logs. */
export type LoggedHost = Agent & { sessionLogs: SessionLogs };

export const LOGGED_HOSTS: readonly LoggedHost[] = AGENTS.filter(
  (agent): agent is LoggedHost => agent.sessionLogs !== undefined,
);

/** The adapter of a host by its name, as in `git-mem hook HOST EVENT`. */
export function findAgent(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** Finds what reads a spooled event: its host's adapter, or the one for events read from a host's logs. */
export function findDecoder(name: string): (Pick<Agent, 'name' | 'toEvents' | 'log'> & Partial<Agent>) | undefined {
  return name === transcript.name ? transcript : findAgent(name);
}
