import { type Agent, type AgentEvent, isChange, type Question, type ToolCall } from './event.ts';
import { asText } from './payload.ts';
import { commandReads } from './shell-reads.ts';

/**
 * What a payload's events ask about: a start, a user's prompt, or files that were read. With `isBefore` the call has not run yet,
 * so it may also be about to change files. `input`: the call's, for the lines that it reads.
 */
export function questionIn(
  events: readonly AgentEvent[],
  { input = {}, isBefore = false }: { input?: Record<string, unknown>; isBefore?: boolean } = {},
): Question | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  const { session, cwd, agent = '' } = first;
  const reader = [session, agent].filter(Boolean).join(' ');
  if (first.kind === 'session-start') return { kind: 'start', session, source: first.source };
  if (first.kind === 'prompt') {
    return first.from === 'user' ? { kind: 'prompt', session, reader, text: first.text } : undefined;
  }
  const calls = events.flatMap((event) => (event.kind === 'tool' ? [event.call] : []));
  const isEdit = isBefore && calls.some(isChange);
  const paths = calls.flatMap((call) => (isEdit ? call.paths : filesRead(call)));
  if (paths.length === 0) return undefined;
  return { kind: 'read', session, reader, cwd, paths, ...(isEdit ? { isEdit } : linesRead(input)) };
}

function filesRead({ action, paths, command }: ToolCall): string[] {
  if (action === 'command') return commandReads(command ?? '');
  return action === 'read' ? paths : [];
}

/** The lines that a call reads of a single file, where its input or plain command says so, as part of a question. */
function linesRead({ offset, limit, command }: Record<string, unknown>): { lines?: [number, number] } {
  const [part, ...others] = asText(command).matchAll(/\bsed -n ['"]?(\d+),(\d+)p|\bhead (?:-n ?|-)(\d+)\b/gu);
  if (part !== undefined) {
    const [, from = '1', to, most] = part;
    return others.length > 0 ? {} : { lines: [Number(from), Number(to ?? most)] };
  }
  if (typeof offset !== 'number' && typeof limit !== 'number') return {};
  const first = typeof offset === 'number' ? offset : 1;
  return { lines: [Math.max(first, 1), typeof limit === 'number' ? first + limit : Number.POSITIVE_INFINITY] };
}

/** A moment at which an agent may be asked to save what it learned. */
export type Occasion = { session: string } & ({ kind: 'prompt'; text: string } | { kind: 'turn-end' });

/** The occasion that a host's event gives; undefined if none. */
export function occasionOf(agent: Agent, event: string, payload: Record<string, unknown>): Occasion | undefined {
  if (!agent.asks.includes(event)) return undefined;
  // The turn's end was already delayed once; the key is Claude Code's, and other hosts use it too.
  if (payload.stop_hook_active === true) return undefined;
  for (const found of agent.toEvents(event, payload)) {
    const { session } = found;
    // A sub-agent does not see the whole turn; its parent is asked.
    if (found.agent !== undefined) continue;
    if (found.kind === 'turn-end') return { kind: 'turn-end', session };
    if (found.kind === 'prompt' && found.from === 'user') return { kind: 'prompt', session, text: found.text };
  }
  return undefined;
}
