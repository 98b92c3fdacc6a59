import type { Turn } from './turn.ts';

/** Tokens of agent work in a turn, at four characters each: what the agent read, ran, changed and said. */
export function workOf(turn: Turn): number {
  const calls = turn.calls.reduce(
    (sum, { output, command = '', change }) =>
      sum + output.length + command.length + (change ? change.removed.length + change.added.length : 0),
    0,
  );
  return Math.ceil((calls + turn.prompt.length + turn.reply.length + turn.reports.join('').length) / 4);
}
