import { elide } from '../../memory/clamp.ts';
import type { Turn, TurnCall } from './turn.ts';

/**
 * Most characters of each text of a waiting turn: several times what a model sees of it (`material.ts`). The
 * beginning and end of an output say the most.
 */
const CAPS = {
  words: 12_000,
  report: 3_000,
  command: 8_000,
  output: 4_000,
  otherOutput: 1_200,
  change: 2_000,
} as const;

/** Most characters of a whole turn, because a drain holds many; if a turn has hundreds of calls, all of them shrink. */
const MOST = 240_000;
const SCALES = [1, 0.4, 0.15, 0.05] as const;

/** A turn as it is kept until an extractor sees it. */
export function boundTurn(turn: Turn): Turn {
  const { prompt, reply, reports } = turn;
  const bounded = {
    ...turn,
    prompt: elide(prompt, CAPS.words),
    reply: elide(reply, CAPS.words),
    reports: reports.map((report) => elide(report, CAPS.report)),
  };
  let { calls } = turn;
  for (const scale of SCALES) {
    calls = turn.calls.map((call) => boundedCall(call, scale));
    if (sizeOf(calls) <= MOST) return { ...bounded, calls };
  }
  const share = Math.floor((calls.length * MOST) / sizeOf(calls) / 2);
  return { ...bounded, calls: [...calls.slice(0, share), ...calls.slice(-share)] };
}

function boundedCall(call: TurnCall, scale: number): TurnCall {
  const cap = (text: string, most: number) => elide(text, Math.ceil(most * scale));
  const { action, output, command, description, change } = call;
  return {
    ...call,
    output: cap(output, action === 'command' ? CAPS.output : CAPS.otherOutput),
    ...(command !== undefined && { command: cap(command, CAPS.command) }),
    ...(description !== undefined && { description: cap(description, CAPS.otherOutput) }),
    ...(change && { change: { removed: cap(change.removed, CAPS.change), added: cap(change.added, CAPS.change) } }),
  };
}

function sizeOf(calls: TurnCall[]): number {
  return JSON.stringify(calls).length;
}
