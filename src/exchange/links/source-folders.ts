import type { StoreName } from '../../memory/record.ts';
import { foldersOf } from '../../recall/query/store-folders.ts';
import type { Source } from './sources.ts';

/** The stores' paths as shown: those of another repository absolute. */
export function sourceFolders({ origin, workspace }: Pick<Source, 'origin' | 'workspace'>): Record<StoreName, string> {
  const folders = foldersOf(workspace);
  return origin === undefined || workspace.linked ? folders : { ...folders, team: workspace.layout.memory };
}
