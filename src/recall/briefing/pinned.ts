import { idInName } from '../../memory/file-name.ts';
import { isId } from '../../memory/id.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import { folderStamp } from '../../memory/store/stamp.ts';
import type { Store, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { filesOf } from './in-time.ts';
import { type FolderNote, foldersIn, isText, listed, writeNotes } from './notes.ts';
import { tallyPath } from './tally.ts';

/** Most ids that are noted, unless one call asks for more: this way ids that are no longer pinned are forgotten. */
const MOST = 500;

/**
 * The observations and summaries with these ids, however old. Their places are noted, because listing the names of a
 * hundred thousand others takes longer than the rest of a session start: only folders that changed since are listed
 * again. The notes may be removed at any time.
 */
export function filesWithIds(workspace: Workspace, ids: ReadonlySet<string>, nowMs = Date.now()): StoredFile[] {
  if (ids.size === 0) return [];
  const { stores, checkout, layout, at } = workspace;
  // A commit of the past has no folders that could change.
  const path = at === undefined ? tallyPath(layout.state, checkout, 'pinned') : undefined;
  const before = notesAt(path);
  const isKnown = [...ids].every((id) => before.ids.has(id));
  const noted = isKnown ? before.ids : new Set([...ids, ...(before.ids.size < MOST ? before.ids : [])]);
  const now = new Map<string, FolderNote>();
  let isNews = !isKnown;
  const namesIn = (store: Store, folder: string) => {
    const key = `${store.name}/${folder}`;
    // Taken before the names are listed, so that files added in between are found the next time.
    const stamp = folderStamp(store.files.state(folder), nowMs);
    const known = isKnown ? before.folders.get(key) : undefined;
    const isSame = stamp !== undefined && known?.stamp === stamp;
    const names = isSame
      ? known.found.filter(isText)
      : store.files.names(folder).filter((name) => noted.has(idInName(name)));
    if (stamp !== undefined) now.set(key, { stamp, found: names });
    isNews ||= !isSame && stamp !== undefined;
    return names;
  };
  const lists = [stores.team, stores.private].map((store) => {
    return { store, listing: store.list(['observation', 'summary'], (folder) => namesIn(store, folder)) };
  });
  const files = filesOf(lists, (name) => ids.has(idInName(name)));
  if (isNews && path !== undefined) writeNotes(path, { ids: [...noted], folders: listed(now) });
  return files;
}

/** The noted ids and, by folder, the names of those records that it held. */
function notesAt(path: string | undefined): { ids: Set<string>; folders: Map<string, FolderNote> } {
  const value = path === undefined ? undefined : readNotes(path);
  const { ids, folders } = { ids: [], folders: [], ...(typeof value === 'object' ? value : {}) };
  return { ids: new Set((Array.isArray(ids) ? ids : []).filter(isText).filter(isId)), folders: foldersIn(folders) };
}
