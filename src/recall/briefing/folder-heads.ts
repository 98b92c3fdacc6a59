import { greatest } from '../../memory/store/greatest-first.ts';
import { byTime, type FolderHead, openSource, type RecordFiles } from '../../memory/store/source.ts';
import { folderStamp } from '../../memory/store/stamp.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type FolderNote, foldersIn, isText, listed, readNotes, writeNotes } from './notes.ts';
import { tallyPath } from './tally.ts';

/** Names of a folder that are noted, the newest: more than a session start chooses from. A smaller folder is listed. */
const MOST = 300;

/**
 * A workspace whose folders tell their newest names without being listed where nothing came or went since: to list the
 * twenty thousand files that a branch may bring takes longer than all else that a session start does. Names are read once,
 * so it is for work that is over soon. `note` keeps what was listed for the next time; the notes may be removed at any time.
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
      // Looked at before the names are: what comes in between is found the next time.
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
