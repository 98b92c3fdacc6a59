import { isObject } from '../../json.ts';
import { blobId } from '../../memory/id.ts';
import type { AgentEvent, ToolCall } from './event.ts';
import { commandReads } from './shell-reads.ts';

export { fieldsOf as asRecord } from '../../json.ts';

/** A string, or the empty string for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The JSON objects of a list; anything else in it is left out. */
export function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts under some keys of an object, empty ones left out. */
export function textsOf(record: Record<string, unknown>, ...keys: string[]): string[] {
  return keys.map((key) => asText(record[key])).filter((text) => text !== '');
}

/** What a call is for: what the agent said, or the pattern of a search. */
export function purposeOf(input: Record<string, unknown>): string {
  return asText(input.description) || asText(input.pattern);
}

/** An id for a call of a host without ids: when it ended and what it was, because two may end in one millisecond. */
export function callId(time: string, ...what: unknown[]): string {
  return time && `${time} ${blobId(JSON.stringify(what)).slice(0, 12)}`;
}

/** What the edits in a list replaced, and by what. */
export function changeIn(edits: Record<string, unknown>[]): { removed: string; added: string } {
  const side = (name: string) => edits.map((edit) => asText(edit[name])).join('\n');
  return { removed: side('old_string'), added: side('new_string') };
}

/** The files that a call reads, by itself or by a plain shell command. */
export function filesRead({ action, paths, command }: Pick<ToolCall, 'action' | 'paths' | 'command'>): string[] {
  if (action === 'command') return commandReads(command ?? '');
  return action === 'read' ? paths : [];
}

/** The lines that a call reads of a single file, where its input or its plain command says so: a part of a question. */
export function linesRead({ offset, limit, command }: Record<string, unknown>): { lines?: [number, number] } {
  const [part, ...others] = asText(command).matchAll(/\bsed -n ['"]?(\d+),(\d+)p|\bhead (?:-n ?|-)(\d+)\b/gu);
  if (part !== undefined) {
    const [, from = '1', to, most] = part;
    return others.length > 0 ? {} : { lines: [Number(from), Number(to ?? most)] };
  }
  if (typeof offset !== 'number' && typeof limit !== 'number') return {};
  const first = typeof offset === 'number' ? offset : 1;
  return { lines: [Math.max(first, 1), typeof limit === 'number' ? first + limit : Number.POSITIVE_INFINITY] };
}

/** The event of a finished call. Its key is the call's id, so that a call that is reported twice is taken once. */
export function toolEvent(common: Pick<AgentEvent, 'session' | 'cwd' | 'turn' | 'agent'>, call: ToolCall): AgentEvent {
  return { ...common, ...(call.id && { key: `tool ${call.id}` }), kind: 'tool', call };
}
