import { resolveId, shortestPrefixes } from '../memory/id.ts';
import type { Workspace } from '../store/workspace.ts';

/** For each of these ids the shortest prefix that names its record in every command. Nothing is read but file names. */
export function shortIds({ stores }: Workspace, ids: string[]): Map<string, string> {
  const starts = new Set(ids.map(start));
  const others = [...stores.team.ids(), ...stores.private.ids()].filter((id) => starts.has(start(id)));
  return shortestPrefixes([...ids, ...others]);
}

/** The full ids that prefixes name, those of marks too; throws no-such-record, ambiguous-id. */
export function fullIds({ stores }: Workspace, prefixes: string[]): string[] {
  const ids = [...stores.team.ids(), ...stores.private.ids()];
  return prefixes.map((prefix) => resolveId(prefix, ids));
}

/** Prefixes have four characters or more, so only ids that share these can be mistaken for each other. */
function start(id: string): string {
  return id.slice(0, 4);
}
