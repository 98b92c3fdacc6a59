import type { StoreName } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/**
 * The stores' paths as shown: the team's relative to the top of its repository, the private one absolute.
 */
export function foldersOf({ layout }: Workspace): Record<StoreName, string> {
  return { team: '.memory', private: layout.private };
}
