import type { TreeFile } from '../../git/objects.ts';
import { fieldsOf } from '../../json.ts';
import { folderNotes, isText, writeNotes } from '../../kept/notes.ts';
import { idInName, soleTarget } from '../../memory/file-name.ts';
import { isId } from '../../memory/id.ts';
import { greatest } from '../../memory/store/greatest-first.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import type { Listing, Store, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { marksAbout, readMarks } from '../../provenance/lasting-marks.ts';
import { filesOf } from './in-time.ts';
import { tallyPath } from './tally.ts';

/**
 * Gives the marks on these records and, with `alsoGeneral`, those whose targets only their file shows: pins, undos, marks
 * on several records.
 */
export type MarksOn = (ids: Set<string>, alsoGeneral: boolean) => Promise<StoredFile[]>;

/**
 * Most marks read, newest first, that this clone did not write and nobody reviewed: they count only if an allowed
 * signer committed them, and a branch may add any number.
 */
const MOST_UNKNOWN = 50;

/**
 * Most names of marks in this checkout that are looked at, newest first; each month's folder is taken whole or by its
 * newest names.
 */
const MOST_LISTED = 300;

/** The lasting marks, wherever they are, and the others of this checkout. Names are listed once. */
export function marksOf(workspace: Workspace, lasting: Promise<TreeFile[]>): MarksOn {
  const { stores, at } = workspace;
  const listings = [stores.team, stores.private].map((store) => {
    const listing = store.list(['mark'], store.name === 'team' && at === undefined ? newestNames(store) : undefined);
    return { store, listing, names: namesByTarget(listing) };
  });
  return async (ids, alsoGeneral) => {
    const known = await lasting;
    const { files, inTheirPlace } = await readMarks(workspace, marksAbout(known, ids, alsoGeneral));
    const lastingNames = new Set(known.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
    const others = listings.map(({ store, listing, names }) => {
      const about = [...ids, ...(alsoGeneral ? [undefined] : [])].flatMap((target) => names.get(target) ?? []);
      const unread = store.name === 'team' ? about.filter((name) => !lastingNames.has(name)) : about;
      const isBounded = store.name === 'team' && at === undefined;
      // Names begin with the time.
      const read = new Set(isBounded ? greatest(unread, MOST_UNKNOWN) : unread);
      return filesOf([{ store, listing }], (name) => read.has(name));
    });
    return [...files, ...inTheirPlace, ...others.flat()];
  };
}

/** The newest names in a store's folders of marks: marks that certainly count are lasting and need no listing. */
function newestNames(store: Store): (folder: string) => string[] {
  const names = new Map<string, string[]>();
  let left = MOST_LISTED;
  for (const folder of store.folders('mark').sort().reverse()) {
    if (left <= 0) break;
    const { names: newest } = store.head(folder);
    names.set(folder, newest);
    left -= newest.length;
  }
  return (folder) => names.get(folder) ?? [];
}

/** The names of marks by their only target; undefined where only the file shows the targets. */
function namesByTarget(listing: Listing): Map<string | undefined, string[]> {
  const byTarget = new Map<string | undefined, string[]>();
  listing.matching((name) => {
    const target = soleTarget(name);
    const names = byTarget.get(target) ?? [];
    if (names.push(name) === 1) byTarget.set(target, names);
    return false;
  });
  return byTarget;
}

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
