import { resolveId, shortestPrefixes, startOf } from '../../memory/id.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/**
 * For each of these ids the shortest prefix that identifies its record in every command. Reads only file names, or less
 * if the caller knows all ids that begin like these.
 */
export function shortIds(
  { stores }: Workspace,
  ids: string[],
  known = () => [...stores.team.ids(), ...stores.private.ids()],
): Map<string, string> {
  const starts = new Set(ids.map(startOf));
  const others = known().filter((id) => starts.has(startOf(id)));
  return shortestPrefixes([...ids, ...others]);
}

/** The full ids for prefixes, including those of marks; throws no-such-record, ambiguous-id. */
export function fullIds({ stores }: Workspace, prefixes: string[]): string[] {
  const ids = [...stores.team.ids(), ...stores.private.ids()];
  return prefixes.map((prefix) => resolveId(prefix, ids));
}
