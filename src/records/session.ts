import type { DigestCommit } from '../memory/session-digest.ts';

/** `open`: it may continue. `interrupted`: its last turn has no end. */
export const SESSION_STATES = ['open', 'ended', 'interrupted'] as const;

/** One session of an agent, in the JSON shape of `git mem sessions`. */
export interface Session {
  session: string;
  /** What came of it, as its digest says; before there is one, its first request. */
  title: string;
  state: (typeof SESSION_STATES)[number];
  /** ISO 8601, UTC. */
  started: string;
  /** Null while it is open. */
  ended: string | null;
  /** The agent with its version. */
  host: string;
  branch: string | null;
  /** Number of the user's prompts. */
  prompts: number;
  files_read: string[];
  files_modified: string[];
  /** The agent's commits, oldest first. */
  commits: DigestCommit[];
  /** Tokens of the agent's work, at four characters each. */
  tokens: number;
  /** Ids of the active observations and summaries that it left, oldest first. */
  records: string[];
}
