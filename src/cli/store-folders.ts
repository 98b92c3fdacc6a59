import type { StoreName } from '../memory/record.ts';
import type { Workspace } from '../store/workspace.ts';

/** How the stores' places are shown: the team's from the top of the repository, the private one absolute. */
export function foldersOf({ layout }: Workspace): Record<StoreName, string> {
  return { team: '.memory', private: layout.private };
}
