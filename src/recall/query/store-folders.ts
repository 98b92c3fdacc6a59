import type { StoreName } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/**
 * How the stores' places are shown: the team's from the top of its repository, or absolute where that is another
 * checkout; the private one absolute.
 */
export function foldersOf({ layout, linked, at }: Workspace): Record<StoreName, string> {
  return { team: linked && at === undefined ? layout.memory : '.memory', private: layout.private };
}
