import type { TreeFile } from '../../git/objects.ts';
import { idInName, soleTarget } from '../../memory/file-name.ts';
import { greatest } from '../../memory/store/greatest-first.ts';
import { entryAt, type StoredFile } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { marksAbout, readMarks } from '../../provenance/lasting-marks.ts';
import { filesOf } from './in-time.ts';

/** Gives the marks on these records; with `alsoGeneral` also those whose names show no single target, such as pins. */
export type MarksOn = (ids: Set<string>, alsoGeneral: boolean) => Promise<StoredFile[]>;

/**
 * Most marks that are read, newest first, if this clone did not write them and nobody reviewed them: such marks count
 * only if an allowed signer committed them, and a branch may add any number.
 */
const MOST_UNKNOWN = 50;

/** Most names of marks taken from one month of this checkout, newest first; after so many, no older month is listed. */
const MOST_LISTED = 300;

/** Returns what finds marks: lasting ones, wherever they are, and others in this checkout. Lists names only once. */
export function marksOf(workspace: Workspace, lasting: Promise<TreeFile[]>): MarksOn {
  const { stores, at } = workspace;
  const stored = [stores.team, stores.private].map((store) => {
    const isBounded = store.name === 'team' && at === undefined;
    return { store, isBounded, paths: pathsByTarget(store, isBounded ? newestNames(store) : store.files.names) };
  });
  return async (ids, alsoGeneral) => {
    const known = await lasting;
    const { files, inTheirPlace } = await readMarks(workspace, marksAbout(known, ids, alsoGeneral));
    const lastingNames = new Set(known.map(({ path }) => nameIn(path)));
    const others = stored.map(({ store, isBounded, paths }) => {
      const about = [...ids, ...(alsoGeneral ? [undefined] : [])].flatMap((target) => paths.get(target) ?? []);
      const unread = store.name === 'team' ? about.filter((path) => !lastingNames.has(nameIn(path))) : about;
      // The greatest are the newest: paths begin with the month, and names with the time.
      const read = isBounded ? greatest(unread, MOST_UNKNOWN) : unread;
      const entries = read.flatMap((path) => entryAt(store.name, path) ?? []);
      return filesOf(store, entries);
    });
    return [...files, ...inTheirPlace, ...others.flat()];
  };
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The newest names in a store's folders of marks. Marks that certainly count are lasting, and need no listing. */
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

/** The paths of marks by their only target; under undefined those whose names show no single target. */
function pathsByTarget(store: Store, namesIn: (folder: string) => string[]): Map<string | undefined, string[]> {
  const byTarget = new Map<string | undefined, string[]>();
  for (const folder of store.folders('mark')) {
    for (const name of namesIn(folder)) {
      const target = soleTarget(name);
      const paths = byTarget.get(target) ?? [];
      if (paths.push(`${folder}/${name}`) === 1) byTarget.set(target, paths);
    }
  }
  return byTarget;
}

/** The readable observations and summaries with these ids, however old they are. */
export function filesWithIds({ stores }: Workspace, ids: ReadonlySet<string>): StoredFile[] {
  if (ids.size === 0) return [];
  const isWanted = (name: string) => ids.has(idInName(name));
  return [stores.team, stores.private].flatMap((store) =>
    filesOf(store, store.matching(isWanted, 'observation', 'summary')),
  );
}
