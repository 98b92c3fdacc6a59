import type { StoreName } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/**
 * The stores' paths as shown: the team's relative to the top of its repository, or absolute if that is another
 * checkout; the private one absolute.
 */
export function foldersOf({ layout, linked, at }: Workspace): Record<StoreName, string> {
  return { team: linked && at === undefined ? layout.memory : '.memory', private: layout.private };
}
