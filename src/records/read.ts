import { GitMemError, messageOf } from '../errors.ts';
import { cardOf } from '../index/document.ts';
import { isHidden } from '../memory/marks.ts';
import { outlineReader } from '../memory/outline.ts';
import type { StoredRecord } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { removedMarks } from '../provenance/lasting-marks.ts';
import type { NowOf } from '../provenance/renamed-files.ts';
import { mostTrustedRecords, withTrust } from '../provenance/trust.ts';
import { type Annotated, annotate, withoutWhatIsHidden } from './annotate.ts';
import { type Filter, judgedFilter } from './card-filter.ts';
import { statesOf } from './judgement.ts';

/** All records of both stores, newest first, and what could not be read. */
export interface Everything {
  records: Annotated[];
  problems: { path: string; message: string; isNewer: boolean }[];
}

/** Reads every record of both stores. A file that does not parse is skipped and named in `problems`. */
export async function readEverything(workspace: Workspace): Promise<Everything> {
  const { stores } = workspace;
  const found: StoredRecord[] = [];
  const problems: Everything['problems'] = [];
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest()) {
      try {
        found.push(store.read(entry, outlineReader));
      } catch (error) {
        const isNewer = error instanceof GitMemError && error.code === 'newer-format';
        problems.push({ path: entry.path, message: messageOf(error), isNewer });
      }
    }
  }
  found.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  const judged = await withTrust(found, workspace, { signatures: true });
  const removed = await removedMarks(workspace, found);
  const states = statesOf([...judged, ...removed.map((mark) => ({ ...mark, trust: 'own' as const }))]);
  const records = await annotate(workspace, mostTrustedRecords(judged), states);
  return { records: withoutWhatIsHidden(records), problems };
}

/** The records that pass a filter, in their order; by default observations and summaries. `nowOf` is as in `cardFilter`. */
export function select(records: Annotated[], filter: Filter, nowOf?: NowOf): Annotated[] {
  const passes = judgedFilter(filter, nowOf);
  return records.filter(({ record, entry, state, ...judged }) =>
    passes({ card: cardOf(record), store: entry.store, isHidden: isHidden(state), ...judged }),
  );
}

function keyOf({ record }: StoredRecord): string {
  return `${record.generated.at} ${record.id}`;
}
