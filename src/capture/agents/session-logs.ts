import type { LogEntry } from './event.ts';
import { commonOf } from './payload.ts';

/** A tool call that began: nothing to report yet. */
export const CALL: LogEntry = { role: 'call', events: () => [] };

/** What the user wrote; nothing for an empty text. */
export function asked(text: string, id: string): LogEntry[] {
  if (text.trim() === '') return [];
  return [{ role: 'prompt', id, events: (where) => [{ ...commonOf(where), kind: 'prompt', text, from: 'user' }] }];
}

/** What the agent said; nothing for an empty text that does not end a turn. */
export function answered(text: string, role: 'reply' | 'turn-end', id?: string): LogEntry[] {
  if (role === 'reply' && text.trim() === '') return [];
  return [{ role, ...(id && { id }), events: (where) => [{ ...commonOf(where), kind: 'turn-end', text }] }];
}

/** Most calls kept waiting for their result: interrupted ones never get it, and no agent runs this many in parallel. */
const MOST_OPEN = 200;

/** Keeps calls until their results come. */
export function openCalls<Call>() {
  const open = new Map<string, Call>();
  return {
    begin(id: string, call: Call): void {
      const [oldest] = open.keys();
      if (open.size >= MOST_OPEN && oldest !== undefined) open.delete(oldest);
      open.set(id, call);
    },
    has: (id: string): boolean => open.has(id),
    end(id: string): Call | undefined {
      const call = open.get(id);
      open.delete(id);
      return call;
    },
  };
}

/** A time as hosts write it: ISO 8601, or seconds or milliseconds since 1970. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const date = new Date(typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : Date.parse(value));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** How far from each end of an output an exit code is looked for, in UTF-16 units: further in, it may be a quotation. */
const EDGE = 400;

/** The number after a phrase near the beginning or the end of an output. */
export function codeAfter(output: string, phrase: string): number | undefined {
  for (const edge of [output.slice(0, EDGE), output.slice(-EDGE)]) {
    const at = edge.indexOf(phrase);
    const digits = at < 0 ? undefined : /^\d{1,3}/.exec(edge.slice(at + phrase.length))?.[0];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}
