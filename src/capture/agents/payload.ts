import { isObject } from '../../json.ts';
import type { AgentEvent, ToolCall } from './event.ts';

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

/** The event of a finished call. Its key is the call's id, so that a call that is reported twice is taken once. */
export function toolEvent(common: Pick<AgentEvent, 'session' | 'cwd' | 'turn' | 'agent'>, call: ToolCall): AgentEvent {
  return { ...common, ...(call.id && { key: `tool ${call.id}` }), kind: 'tool', call };
}
