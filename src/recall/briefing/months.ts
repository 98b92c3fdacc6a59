import { FOLDERS, isMonth } from '../../memory/file-name.ts';
import { openSource, type RecordFiles } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { reviewedTrees } from '../../provenance/trust.ts';
import { trustedPaths } from './newest.ts';

/** Five years. A branch may add all 1,321 months that there can be, with anything in them, for each kind of record. */
export const MANY_MONTHS = 60;

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
