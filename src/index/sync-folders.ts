import { lstatSync } from 'node:fs';
import { isSettled } from '../kept/keep.ts';
import { FOLDERS, latestTime } from '../memory/file-name.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { MemoryIndex, RecordIndex } from './memory-index.ts';
import { NO_CHANGES, type SyncReport, sync } from './sync.ts';

/** In a smaller store, checking all files is about as quick, and edits in place are noticed at once. */
const LARGE = 1000;

/** How long a check of all files counts as recent, in milliseconds: an edit in place is noticed at most this late. */
const LATELY_MS = 60_000;

/** How closely a large store is checked: `folders` for what came or went; `lately` for all files too, once a minute. */
export type Glance = 'folders' | 'lately';

/** Updates the index like `sync`; a large store only if a folder changed, or the last check was too long ago. */
export async function syncFolders(workspace: Workspace, index: MemoryIndex, glance: Glance): Promise<SyncReport> {
  // A commit's records are in no folder.
  const times = workspace.at === undefined && isLarge(index) ? folderTimes(workspace) : undefined;
  const isEnough = glance === 'folders' || isLookedAt(workspace, index);
  if (times !== undefined && isEnough && isAsNoted(workspace, index, times)) return NO_CHANGES;
  const report = await sync(workspace, index);
  if (times !== undefined) noteFolders(workspace, index, times);
  return report;
}

/** Tells whether the folders are as they were when the index was last updated. */
export function isAsNoted({ checkout }: Workspace, index: RecordIndex, { key }: FolderTimes): boolean {
  return index.meta(`folders ${checkout.root}`) === key;
}

/** Tells whether all files were checked recently; not if the clock stepped back since. */
function isLookedAt({ checkout }: Workspace, index: RecordIndex): boolean {
  const agoMs = Date.now() - Number(index.meta(`looked ${checkout.root}`) ?? Number.NaN);
  return agoMs >= 0 && agoMs < LATELY_MS;
}

/** Notes the folders' times from before the index was updated from all files, and for a large store when that was. */
export function noteFolders({ checkout }: Workspace, index: MemoryIndex, { key }: FolderTimes): void {
  index.setMeta(`folders ${checkout.root}`, key);
  if (isLarge(index)) index.setMeta(`looked ${checkout.root}`, String(Date.now()));
}

function isLarge(index: MemoryIndex): boolean {
  return index.statistics([]).documents > LARGE;
}

/** The times of all folders that hold records. */
export interface FolderTimes {
  /** Changes whenever one of the times does. */
  key: string;
  /** The newest one, in milliseconds since 1970; 0 if there is no folder. */
  newestMs: number;
}

/**
 * The times of all folders that hold records, which show whether a record came or went; undefined while a folder is too
 * young for its time to be reliable. Edits in place change no folder.
 */
export function folderTimes({ stores }: Workspace, now = Date.now()): FolderTimes | undefined {
  const times: string[] = [];
  let newestMs = 0;
  const latest = latestTime(now);
  for (const store of [stores.team, stores.private]) {
    // What others date in the future is not believed.
    const months = store.folders().filter((folder) => store === stores.private || folder.slice(-7) <= latest);
    for (const folder of [...Object.values(FOLDERS), ...months].sort()) {
      // Not with `join`, which is slower: a branch may add thousands.
      const stat = lstatSync(`${store.dir}/${folder}`, { throwIfNoEntry: false });
      if (!stat?.isDirectory()) continue;
      if (!isSettled({ modifiedMs: stat.mtimeMs, changedMs: stat.mtimeMs }, now)) return undefined;
      times.push(`${store.name} ${folder} ${stat.mtimeMs} ${stat.ino}`);
      newestMs = Math.max(newestMs, stat.mtimeMs);
    }
  }
  return { key: times.join('\n'), newestMs };
}
