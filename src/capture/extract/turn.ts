import * as z from 'zod/mini';
import { TOOL_ACTIONS } from '../agents/event.ts';

const texts = z.array(z.string());

/** A tool call inside a turn: paths are repository-relative POSIX paths; those outside the repository are left out. */
const callShape = z.object({
  id: z.string(),
  tool: z.string(),
  action: z.enum(TOOL_ACTIONS),
  paths: texts,
  command: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  ok: z.optional(z.boolean()),
  exitCode: z.exactOptional(z.number()),
  output: z.string(),
  change: z.exactOptional(z.object({ removed: z.string(), added: z.string() })),
  /** Id of the sub-agent that made the call. */
  agent: z.exactOptional(z.string()),
  /** ISO 8601, UTC. */
  at: z.string(),
});

/** Everything from one prompt to the agent's last message, with private text and secrets already removed. */
export const turnShape = z.object({
  session: z.string(),
  /** Key of the first event; with the session it names the turn across retries. */
  key: z.string(),
  /** Number of the user's prompt within the session, from 1; a machine prompt keeps the previous number. */
  promptNumber: z.number(),
  /** Empty where the turn began without a prompt (events that came after the turn's end). */
  prompt: z.string(),
  promptFrom: z.enum(['user', 'machine']),
  calls: z.array(callShape),
  /** Last messages of sub-agents, oldest first. */
  reports: texts,
  /** The agent's last message; empty when the turn was interrupted. */
  reply: z.string(),
  /** True only if the host said so: a missing end does not count as an interruption. */
  interrupted: z.boolean(),
  /** The agent itself saved an observation: the turn is closed for every extractor. */
  saved: z.boolean(),
  /** What its calls took in, as written in records. */
  inputs: z._default(texts, []),
  startedAt: z.string(),
  endedAt: z.string(),
});

export type TurnCall = z.infer<typeof callShape>;
export type Turn = z.infer<typeof turnShape>;

/** Tokens of agent work in a turn, at four characters each: what the agent read, ran, changed and said. */
export function workOf(turn: Turn): number {
  const calls = turn.calls.reduce(
    (sum, { output, command = '', change }) =>
      sum + output.length + command.length + (change ? change.removed.length + change.added.length : 0),
    0,
  );
  return Math.ceil((calls + turn.prompt.length + turn.reply.length + turn.reports.join('').length) / 4);
}
