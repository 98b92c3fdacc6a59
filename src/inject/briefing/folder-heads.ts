import { folderNotes, isText, writeNotes } from '../../kept/notes.ts';
import { FOLDERS, isMonth } from '../../memory/file-name.ts';
import { greatest } from '../../memory/store/greatest-first.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import { byTime, type FolderHead, openSource, type RecordFiles } from '../../memory/store/source.ts';
import type { Store } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { reviewedTrees } from '../../provenance/trust.ts';
import { trustedPaths } from './newest.ts';
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
  const notes = folderNotes(readNotes(path), nowMs);

  function filesWithHeads({ name, files }: Store): RecordFiles {
    const seen = new Map<string, string[]>();
    const names = (folder: string) => {
      const found = seen.get(folder) ?? (folder.includes('/') ? files.names(folder) : months(folder));
      seen.set(folder, found);
      return found;
    };
    const months = (folder: string) => {
      const key = `${name}/${folder}`;
      const known = notes.known(key, files.state(folder));
      if (known !== undefined) return known.filter(isText);
      const all = files.names(folder);
      if (all.length > MANY_MONTHS) notes.note(key, all);
      return all;
    };
    const head = (folder: string): FolderHead => {
      const key = `${name}/${folder}`;
      const known = notes.known(key, files.state(folder));
      if (known !== undefined) return { names: known.filter(isText), isAll: false };
      const all = names(folder);
      if (all.length <= MOST) return { names: all, isAll: true };
      const newest = greatest(all.map(byTime), MOST).map((one) => one.slice(one.indexOf('/') + 1));
      notes.note(key, newest);
      return { names: newest, isAll: false };
    };
    return { names, head, state: files.state, bytes: files.bytes };
  }

  const withHeads = (store: Store): Store => ({ ...store, ...openSource(store.name, filesWithHeads(store), format) });
  return {
    workspace: { ...workspace, stores: { team: withHeads(stores.team), private: withHeads(stores.private) } },
    note: () => {
      const folders = notes.news();
      if (folders !== undefined) writeNotes(path, folders);
    },
  };
}

/** Five years. A branch may add all 1,321 months that there can be, with anything in them, for each kind of record. */
const MANY_MONTHS = 60;

/** Of more, the newest that are looked into whatever they hold: each costs as much as many names. */
const NEWEST_MONTHS = 12;

/**
 * The workspace with few months, however many a branch added: of more than `MANY_MONTHS` of a kind only the newest, and
 * those in which git or the ledger knows an observation or a summary. Marks that count are found without a listing.
 */
export async function withFewMonths(workspace: Workspace): Promise<Workspace> {
  const { team } = workspace.stores;
  const folders = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark];
  const crowded = folders.filter((folder) => monthsIn(team.files, folder).length > MANY_MONTHS);
  if (crowded.length === 0) return workspace;
  const trusted = await trustedPaths(workspace, await reviewedTrees(workspace));
  const known = new Set([...trusted].map((path) => path.slice(0, path.lastIndexOf('/'))));
  const few = new Map(
    crowded.map((folder) => {
      const newestFirst = monthsIn(team.files, folder).sort().reverse();
      return [folder, newestFirst.filter((month, i) => i < NEWEST_MONTHS || known.has(`${folder}/${month}`))];
    }),
  );
  const names = (folder: string) => few.get(folder) ?? team.files.names(folder);
  const store = { ...team, ...openSource(team.name, { ...team.files, names }, workspace.format) };
  return { ...workspace, stores: { ...workspace.stores, team: store } };
}

function monthsIn(files: RecordFiles, folder: string): string[] {
  return files.names(folder).filter(isMonth);
}
