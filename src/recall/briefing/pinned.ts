import { fieldsOf } from '../../json.ts';
import { idInName } from '../../memory/file-name.ts';
import { isId } from '../../memory/id.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Store, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { filesOf } from './in-time.ts';
import { folderNotes, isText, writeNotes } from './notes.ts';
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
  const notes = folderNotes(isKnown ? before.folders : [], nowMs);
  const namesIn = (store: Store, folder: string) => {
    const key = `${store.name}/${folder}`;
    const known = notes.known(key, store.files.state(folder));
    if (known !== undefined) return known.filter(isText);
    const names = store.files.names(folder).filter((name) => noted.has(idInName(name)));
    notes.note(key, names);
    return names;
  };
  const lists = [stores.team, stores.private].map((store) => {
    return { store, listing: store.list(['observation', 'summary'], (folder) => namesIn(store, folder)) };
  });
  const files = filesOf(lists, (name) => ids.has(idInName(name)));
  const folders = notes.news();
  if (folders !== undefined && path !== undefined) writeNotes(path, { ids: [...noted], folders });
  return files;
}

/** The noted ids and, by folder, the names of those records that it held. */
function notesAt(path: string | undefined): { ids: Set<string>; folders: unknown } {
  const { ids, folders } = fieldsOf(path === undefined ? undefined : readNotes(path));
  return { ids: new Set((Array.isArray(ids) ? ids : []).filter(isText).filter(isId)), folders };
}
