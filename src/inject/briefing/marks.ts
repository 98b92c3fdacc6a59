import type { TreeFile } from '../../git/objects.ts';
import { idInName, soleTarget } from '../../memory/file-name.ts';
import { greatest } from '../../memory/store/greatest-first.ts';
import type { Listing, Store, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { marksAbout, readMarks } from '../../provenance/lasting-marks.ts';
import { filesOf } from './in-time.ts';

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
 * Most names of marks in this checkout that are looked at, newest first, beside the others of their month.
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
    const newest = greatest(store.files.names(folder), MOST_LISTED);
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

/** The observations and summaries with these ids, however old. */
export function filesWithIds({ stores }: Workspace, ids: ReadonlySet<string>): StoredFile[] {
  if (ids.size === 0) return [];
  const lists = [stores.team, stores.private].map((store) => {
    return { store, listing: store.list(['observation', 'summary']) };
  });
  return filesOf(lists, (name) => ids.has(idInName(name)));
}
