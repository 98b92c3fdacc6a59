import { shortestPrefixes, startOf } from '../../memory/id.ts';
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
