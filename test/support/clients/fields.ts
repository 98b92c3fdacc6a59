import { isObject } from '../../../src/json.ts';
import type { RecordedCall } from './recorder.ts';

/** The fields that a client reports, one per line: event and tool, path of the field, types of its values. */
export function fieldsOf(calls: readonly RecordedCall[]): string[] {
  const kinds = new Map<string, Set<string>>();
  for (const { event, payload } of calls) {
    for (const [path, kind] of leavesOf(payload, '')) {
      const field = `${titleOf({ event, payload })} · ${path}`;
      kinds.set(field, (kinds.get(field) ?? new Set()).add(kind));
    }
  }
  return [...kinds].map(([field, some]) => `${field}: ${[...some].sort().join(' or ')}`).sort();
}

/** An event with the tool that it is about. */
export function titleOf({ event, payload }: Pick<RecordedCall, 'event' | 'payload'>): string {
  const { tool_name, toolName, tool_result, input } = payload;
  const named = isObject(tool_result) ? tool_result.name : isObject(input) ? input.tool : undefined;
  const tool = [tool_name, toolName, named].find((one) => typeof one === 'string');
  return tool === undefined ? event : `${event} ${tool}`;
}

function leavesOf(value: unknown, path: string): [path: string, kind: string][] {
  if (Array.isArray(value)) {
    const inner = value.flatMap((one) => leavesOf(one, `${path}[]`));
    return inner.length > 0 ? inner : [[path, 'list']];
  }
  if (!isObject(value)) return [[path, value === null ? 'null' : typeof value]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, path === '' ? key : `${path}.${key}`));
}
