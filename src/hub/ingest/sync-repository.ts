import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { idOf } from '../../memory/id.ts';
import { type EffectiveState, foldMarks, isHidden } from '../../memory/marks.ts';
import { judged, type Whereabouts } from '../../provenance/freshness.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { filesOfTree } from '../../provenance/whereabouts.ts';
import type { HubConfig } from '../config.ts';
import { type Database, jsonFor, type Query } from '../database/database.ts';
import { DUE_NOW } from '../database/tables.ts';
import { headOf, type Mirror, withMirror } from './mirror.ts';
import { type Files, type Parsed, parseFiles, printKey, recordFiles } from './parsed.ts';
import { addRows, type NewRow, removeRows } from './rows.ts';
import { type Syncing, tooLarge } from './syncing.ts';
import { judgeRedactions, type KnownRecord, statementOf, storeWithheld } from './withheld.ts';

/** A repository as it was when its sync began. */
export interface RepositoryState {
  number: number;
  url: string;
  head: string;
  memory: string;
  version: number;
  next_row: number;
}

/** A row, or a withheld record, of which only the first fields count. */
interface StoredRow extends KnownRecord {
  path: string;
  freshness: Freshness;
  state: EffectiveState;
  anchors: Record<string, string> | null;
}

/**
 * Brings one repository up to date with its default branch; tells whether anything was to do, or that another sync
 * committed first and nothing was written. All changes are one transaction: a process killed at any instant leaves the
 * old state or the new one.
 */
export async function syncRepository(
  database: Database,
  state: RepositoryState,
  { config, ...syncing }: Syncing & { config: HubConfig },
): Promise<boolean | 'overtaken'> {
  const head = await headOf(state.url, syncing);
  if (head === state.head && state.memory !== '') return false;
  if (head === '') {
    const empty = { head, memory: 'empty', cited: filesOfTree([], new Map()), files: new Map(), added: [] };
    return (await database.transaction((query) => write(query, state, empty, syncing))) || 'overtaken';
  }
  const folder = join(config.folder, 'mirrors', idOf(state.url, String(state.number)));
  const next = await withMirror(folder, state.url, syncing, (mirror) =>
    nextState(database, state, mirror, { config, ...syncing }),
  );
  syncing.signal.throwIfAborted();
  return (await database.transaction((query) => write(query, state, next, syncing))) || 'overtaken';
}

/** What a mirror has that the database has not. */
async function nextState(
  { query }: Database,
  state: RepositoryState,
  mirror: Mirror,
  { config: { limits }, ...syncing }: Syncing & { config: HubConfig },
): Promise<NewState> {
  const files = recordFiles(mirror.files);
  if (files.size > limits.records) {
    throw tooLarge(`it has ${files.size} records, and ${limits.records} are the limit`);
  }
  const memory = createHash('sha256')
    .update(JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
  // Contents are not fetched for this: where a file changed, its freshness is unknown.
  const cited = filesOfTree(mirror.files, new Map());
  const next = { head: mirror.head, memory, cited };
  if (memory === state.memory) return { ...next, files: undefined, added: [] };
  const known = await query<{ oid: string }>(
    'SELECT oid FROM record WHERE repository = $1 UNION ALL SELECT oid FROM withheld WHERE repository = $1',
    [state.number],
  );
  const fresh = new Map(files);
  for (const { oid } of known) fresh.delete(oid);
  return {
    ...next,
    files,
    added: await parseFiles(fresh, mirror, { ...syncing, query, key: await printKey(query), limits }),
  };
}

interface NewState extends Pick<RepositoryState, 'head' | 'memory'> {
  /** The files of the commit, cited ones among them. */
  cited: Whereabouts;
  /** Missing if only cited files changed. */
  files: Files | undefined;
  /** New records. */
  added: Parsed[];
}

/** Writes the new state; false, and nothing written, if another sync committed first. */
async function write(
  query: Query,
  { number, version, next_row }: RepositoryState,
  { head, memory, cited, files, added }: NewState,
  { signal }: Syncing,
): Promise<boolean> {
  const sql = 'UPDATE repository SET version = version + 1 WHERE number = $1 AND version = $2 RETURNING number';
  if ((await query(sql, [number, version])).length === 0) return false;
  const stored = await query<StoredRow>(
    `SELECT row, oid, id, kind, path, freshness, state, record->'anchors' AS anchors, '{}'::text[] AS prints,
       CASE WHEN kind = 'mark' OR jsonb_array_length(coalesce(record->'supersedes', '[]')) > 0 THEN
         jsonb_build_object('kind', kind, 'id', id, 'type', type, 'targets', record->'targets', 'by', record->>'by',
           'supersedes', coalesce(record->'supersedes', '[]')) END AS statement
     FROM record WHERE repository = $1
     UNION ALL SELECT NULL, oid, id, kind, '', 'unknown', '{}', NULL, prints::text[], statement
     FROM withheld WHERE repository = $1`,
    [number],
  );
  const kept = files === undefined ? stored : stored.filter(({ oid }) => files.has(oid));
  const gone = files === undefined ? [] : stored.filter(({ oid }) => !files.has(oid));
  const withheld = await judgeRedactions(query, number, { kept, added });
  const isShown = ({ oid }: { oid: string }) => !withheld.blobs.has(oid);
  const staying = kept.filter(isShown);
  // Of withheld records too: what one replaces stays replaced.
  const states = foldMarks([
    ...kept.flatMap(({ statement }) => statement ?? []),
    ...added.flatMap(({ record }) => statementOf(record) ?? []),
  ]);
  const { isLifted } = await storeWithheld(query, number, { kept, added, withheld });
  const removed = [...gone, ...kept.filter((one) => !isShown(one))].flatMap(({ row }) => row ?? []);
  await removeRows(query, number, removed);
  await update(query, number, staying, (row) => {
    const freshness = row.anchors === null ? 'unknown' : freshnessOf(cited, row.anchors);
    return { freshness, state: states.of(row.id), path: files?.get(row.oid) ?? row.path };
  });
  const admitted = added.filter(isShown);
  const rows = admitted.map((parsed, i): NewRow => {
    const { record } = parsed;
    const freshness = freshnessOf(cited, record.kind === 'observation' ? record.anchors : {});
    const path = files?.get(parsed.oid) ?? '';
    return { row: next_row + i, path, parsed, freshness, state: states.of(record.id) };
  });
  await addRows(query, number, rows, signal);
  await query(
    `UPDATE repository SET head = $2, memory = $3, next_row = next_row + $4, synced_at = now(),
       (documents, records, bytes, lengths) = (
         SELECT count(*), count(*) FILTER (WHERE NOT hidden AND kind IN ('observation', 'summary')), coalesce(sum(bytes), 0),
           ARRAY[coalesce(sum(lengths[1]), 0), coalesce(sum(lengths[2]), 0), coalesce(sum(lengths[3]), 0),
             coalesce(sum(lengths[4]), 0), coalesce(sum(lengths[5]), 0)]
         FROM record WHERE repository = $1)
     WHERE number = $1`,
    [number, head, isLifted ? '' : memory, rows.length],
  );
  if (isLifted) await query(`UPDATE repository SET ${DUE_NOW} WHERE number = $1`, [number]);
  return true;
}

/** Writes what changed about the records that stay. */
async function update(
  query: Query,
  number: number,
  rows: StoredRow[],
  standingOf: (row: StoredRow) => Pick<StoredRow, 'freshness' | 'state' | 'path'>,
): Promise<void> {
  const changed = rows.flatMap((row) => {
    if (row.row === null) return [];
    const { freshness, state, path } = standingOf(row);
    const isSame = freshness === row.freshness && path === row.path;
    if (isSame && isDeepStrictEqual(state, row.state)) return [];
    return [{ row: row.row, path, freshness, state, hidden: isHidden(state) }];
  });
  if (changed.length === 0) return;
  await query(
    `UPDATE record SET path = new.path, freshness = new.freshness, state = new.state, hidden = new.hidden
     FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, path text, freshness text, state jsonb, hidden boolean)
     WHERE record.repository = $1 AND record.row = new.row`,
    [number, jsonFor(changed)],
  );
}

function freshnessOf(cited: Whereabouts, anchors: Record<string, string>): Freshness {
  const files = Object.entries(anchors).map(([path, blob]) => ({ path, blobs: [blob] }));
  return judged(files, cited).freshness;
}
