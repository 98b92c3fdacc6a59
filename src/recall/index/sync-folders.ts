import type { Workspace } from '../../memory/store/workspace.ts';
import { type FolderTimes, folderTimes } from './folder-times.ts';
import type { MemoryIndex } from './memory-index.ts';
import { NO_CHANGES, type SyncReport, sync } from './sync.ts';

/** In a smaller store all files are looked at about as quickly as its folders are, and edits in place are seen at once. */
const LARGE = 1000;

/** Brings the index to what lies in the stores' folders, as `sync` does; of a large store where a folder changed since. */
export async function syncFolders(workspace: Workspace, index: MemoryIndex): Promise<SyncReport> {
  // What lies in a commit is in no folder.
  const isLarge = workspace.at === undefined && index.statistics([]).documents > LARGE;
  const times = isLarge ? folderTimes(workspace) : undefined;
  if (times !== undefined && isAsNoted(workspace, index, times)) return NO_CHANGES;
  const report = await sync(workspace, index);
  if (times !== undefined) noteFolders(workspace, index, times);
  return report;
}

/** Tells whether the folders are as they were when the index was last brought up to them. */
export function isAsNoted({ checkout }: Workspace, index: MemoryIndex, { key }: FolderTimes): boolean {
  return index.meta(`folders ${checkout.root}`) === key;
}

/** Notes times that folders had before the index was brought up to them. */
export function noteFolders({ checkout }: Workspace, index: MemoryIndex, { key }: FolderTimes): void {
  index.setMeta(`folders ${checkout.root}`, key);
}
