import type { StoreName } from '../memory/record.ts';
import type { Workspace } from '../store/workspace.ts';

/** How a store's place is shown: the team's from the top of the repository, the private one absolute. */
export function folderOf({ layout }: Workspace, store: StoreName): string {
  return store === 'team' ? '.memory' : layout.private;
}
