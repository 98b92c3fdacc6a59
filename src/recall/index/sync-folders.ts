import type { Workspace } from '../../memory/store/workspace.ts';
import { type FolderTimes, folderTimes } from './folder-times.ts';
import type { IndexNotes, MemoryIndex } from './memory-index.ts';
import { NO_CHANGES, type SyncReport, sync } from './sync.ts';

/**
 * In a smaller store checking all files is about as quick as checking its folders, and edits in place are seen at once.
 */
const LARGE = 1000;

/** Updates the index like `sync`; for a large store only if a folder changed since. */
export async function syncFolders(workspace: Workspace, index: MemoryIndex): Promise<SyncReport> {
  // A commit's records are in no folder.
  const isLarge = workspace.at === undefined && index.statistics([]).documents > LARGE;
  const times = isLarge ? folderTimes(workspace) : undefined;
  if (times !== undefined && isAsNoted(workspace, index, times)) return NO_CHANGES;
  const report = await sync(workspace, index);
  if (times !== undefined) noteFolders(workspace, index, times);
  return report;
}

/** Tells whether the folders are as they were when the index was last updated. */
export function isAsNoted({ checkout }: Workspace, index: IndexNotes, { key }: FolderTimes): boolean {
  return index.meta(`folders ${checkout.root}`) === key;
}

/** Notes the times that the folders had before the index was updated. */
export function noteFolders({ checkout }: Workspace, index: IndexNotes, { key }: FolderTimes): void {
  index.setMeta(`folders ${checkout.root}`, key);
}
