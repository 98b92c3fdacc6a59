import type { Listing, StoredFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { type LastingMark, marksAbout, mayConcern, readMarks } from '../../provenance/lasting-marks.ts';
import { filesOf } from './newest.ts';

/** The marks that a session start may have to read. */
export interface Marks {
  /** Those on these records and, `alsoGeneral`, those of which only the file tells what they are about: pins, undos, several at once. */
  on(ids: Set<string>, alsoGeneral: boolean): Promise<StoredFile[]>;
}

/**
 * Marks in the checkout that this clone did not write and nobody reviewed, of which so many are read, the newest first: they
 * count only where an allowed signer committed them, and a branch may bring any number.
 */
const MOST_UNKNOWN = 50;

/** The lasting marks, wherever they are, and the others of this checkout. Names are listed once. */
export function marksOf(workspace: Workspace, lasting: Promise<LastingMark[]>): Marks {
  const { stores, at } = workspace;
  const listings = [stores.team, stores.private].map((store) => ({ store, listing: store.list(['mark']) }));
  return {
    async on(ids, alsoGeneral) {
      const known = await lasting;
      const { files, inTheirPlace } = await readMarks(workspace, marksAbout(known, ids, alsoGeneral));
      const names = new Set(known.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
      const others = listings.map(({ store, listing }) => {
        const isKnown = (name: string) => store.name === 'team' && names.has(name);
        const isBounded = store.name === 'team' && at === undefined;
        const read = newestNames(listing, isBounded ? MOST_UNKNOWN : Number.POSITIVE_INFINITY, (name) => {
          return mayConcern(name, ids, alsoGeneral) && !isKnown(name);
        });
        return filesOf([{ store, listing }], (name) => read.has(name));
      });
      return [...files, ...inTheirPlace, ...others.flat()];
    },
  };
}

/** The greatest of the names that are wanted, which begin with the time. Only these are taken apart. */
function newestNames(listing: Listing, most: number, isWanted: (name: string) => boolean): Set<string> {
  let names: string[] = [];
  let least = '';
  listing.matching((name) => {
    if (name > least && isWanted(name)) names.push(name);
    if (names.length >= most * 2) {
      names = names.sort().slice(-most);
      least = names[0] ?? '';
    }
    return false;
  });
  return new Set(names.length > most ? names.sort().slice(-most) : names);
}
