import { greatest } from '../../memory/store/greatest-first.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import { byTime, type FolderHead, openSource, type RecordFiles } from '../../memory/store/source.ts';
import { folderStamp } from '../../memory/store/stamp.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type FolderNote, foldersIn, isText, listed, writeNotes } from './notes.ts';
import { tallyPath } from './tally.ts';

/** Most names noted per folder, newest first: more than a session start chooses from. A smaller folder is listed. */
const MOST = 300;

/**
 * A workspace that knows the newest names of unchanged folders without listing them: listing the twenty thousand files
 * that a branch may add takes longer than the rest of a session start. Names are read once, so use it for short work
 * only. `note` keeps the listed names for the next time; the notes may be removed at any time.
 */
export function withFolderHeads(workspace: Workspace, nowMs = Date.now()): { workspace: Workspace; note: () => void } {
  const { stores, format, checkout, layout, at } = workspace;
  // A commit of the past has no folders that could change.
  if (at !== undefined) return { workspace, note: () => undefined };
  const path = tallyPath(layout.state, checkout, 'heads');
  const before = foldersIn(readNotes(path));
  const now = new Map<string, FolderNote>();
  let isNews = false;

  function filesWithHeads({ name, files }: Store): RecordFiles {
    const seen = new Map<string, string[]>();
    const names = (folder: string) => {
      const found = seen.get(folder) ?? files.names(folder);
      seen.set(folder, found);
      return found;
    };
    const head = (folder: string): FolderHead => {
      const key = `${name}/${folder}`;
      // Taken before the names are listed, so that files added in between are found the next time.
      const stamp = folderStamp(files.state(folder), nowMs);
      const known = before.get(key);
      if (stamp !== undefined && known?.stamp === stamp) {
        now.set(key, known);
        return { names: known.found.filter(isText), isAll: false };
      }
      const all = names(folder);
      if (all.length <= MOST) return { names: all, isAll: true };
      const newest = greatest(all.map(byTime), MOST).map((one) => one.slice(one.indexOf('/') + 1));
      if (stamp !== undefined) now.set(key, { stamp, found: newest });
      isNews ||= stamp !== undefined;
      return { names: newest, isAll: false };
    };
    return { names, head, state: files.state, bytes: files.bytes };
  }

  const withHeads = (store: Store): Store => ({ ...store, ...openSource(store.name, filesWithHeads(store), format) });
  return {
    workspace: { ...workspace, stores: { team: withHeads(stores.team), private: withHeads(stores.private) } },
    note: () => {
      if (isNews) writeNotes(path, listed(now));
    },
  };
}
