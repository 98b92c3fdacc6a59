import type { ToolCall } from '../agents/event.ts';

/** A tool call inside a turn: paths are repository-relative POSIX paths; those outside the repository are left out. */
export interface TurnCall extends ToolCall {
  /** Id of the sub-agent that made the call. */
  agent?: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** Everything from one prompt to the agent's last message, with private text and secrets already removed. */
export interface Turn {
  session: string;
  /** Key of the first event; with the session it names the turn across retries. */
  key: string;
  /** Number of the user's prompt within the session, from 1; a machine prompt keeps the number before it. */
  promptNumber: number;
  /** Empty where the turn began without a prompt (events that came after the turn's end). */
  prompt: string;
  promptFrom: 'user' | 'machine';
  calls: TurnCall[];
  /** Last messages of sub-agents, oldest first. */
  reports: string[];
  /** The agent's last message; empty when the turn was interrupted. */
  reply: string;
  /** True only if the host said so: a missing end does not count as an interruption. */
  interrupted: boolean;
  /** The agent itself saved an observation: the turn is closed for every extractor. */
  saved: boolean;
  startedAt: string;
  endedAt: string;
}
