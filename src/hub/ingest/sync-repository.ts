import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type EffectiveState, foldMarks, isHidden } from '../../memory/marks.ts';
import { judged, type Whereabouts } from '../../provenance/freshness.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { filesOfTree } from '../../provenance/whereabouts.ts';
import type { HubConfig } from '../config.ts';
import { type Database, jsonFor, type Query } from '../database/database.ts';
import { DUE_NOW } from '../database/tables.ts';

import { fetchMirror, headOf } from './mirror.ts';
import { type Files, type Parsed, parseFiles, recordFiles, tooLarge } from './parsed.ts';
import { printKey } from './prints.ts';
import { type OpenRequests, parseRequested, requestedRecords, sortOut } from './requests.ts';
import { addRows, type NewRow, removeRows, trustOf } from './rows.ts';
import type { Syncing } from './syncing.ts';
import { judgeRedactions, type KnownRecord, statementOf, storeWithheld } from './withheld.ts';

/** A repository as it was when its sync began. */
export interface RepositoryState {
  number: number;
  url: string;
  head: string;
  memory: string;
  requests: OpenRequests;
  version: number;
  next_row: number;
}

/** A row, or a withheld record, of which only the first fields count. */
interface StoredRow extends KnownRecord {
  request: number | null;
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
  { config, requests, ...syncing }: Syncing & { config: HubConfig; requests: OpenRequests },
): Promise<boolean | 'overtaken'> {
  const head = await headOf(state.url, syncing);
  const isSameRequests = isDeepStrictEqual(requests, state.requests);
  if (head === state.head && isSameRequests && state.memory !== '') return false;
  if (head === '') {
    const empty = {
      head,
      memory: 'empty',
      requests: {},
      cited: filesOfTree([], new Map()),
      files: new Map(),
      added: [],
    };
    return (await database.transaction((query) => write(query, state, empty))) !== undefined || 'overtaken';
  }
  const mirror = await fetchMirror(join(config.folder, 'mirrors'), state.url, syncing);
  const { query } = database;
  const { limits } = config;
  const reviewed = recordFiles(mirror.files);
  if (reviewed.size > limits.records) {
    throw tooLarge(`it has ${reviewed.size} records, and ${limits.records} are the limit`);
  }
  const requested = await requestedRecords(mirror, requests, { reviewed, limits });
  const files: Files = new Map([...requested, ...reviewed]);
  const memory = createHash('sha256')
    .update(JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
  const known = await query<{ oid: string }>(
    'SELECT oid FROM record WHERE repository = $1 UNION ALL SELECT oid FROM withheld WHERE repository = $1',
    [state.number],
  );
  for (const { oid } of known) for (const fresh of [reviewed, requested]) fresh.delete(oid);
  const isSame = memory === state.memory;
  const key = await printKey(query);
  const parse = (some: Files, stricter: Partial<typeof limits> = {}) =>
    parseFiles(some, mirror, { ...syncing, query, key, limits: { ...limits, ...stricter } });
  const added = isSame ? [] : [...(await parse(reviewed)), ...(await parseRequested(requested, parse))];
  // Contents are not fetched for this: where a file changed, its freshness is unknown.
  const cited = filesOfTree(mirror.files, new Map());
  syncing.signal.throwIfAborted();
  const isPurged = await database.transaction((query) =>
    write(query, state, { head: mirror.head, memory, requests, cited, files: isSame ? undefined : files, added }),
  );
  if (isPurged) mirror.remove();
  return isPurged !== undefined || 'overtaken';
}

interface NewState extends Pick<RepositoryState, 'head' | 'memory' | 'requests'> {
  /** The files of the commit, cited ones among them. */
  cited: Whereabouts;
  /** Missing if only cited files changed. */
  files: Files | undefined;
  added: Parsed[];
}

/** Writes the new state; tells whether text was purged. Undefined, and nothing written, if another sync committed first. */
async function write(
  query: Query,
  { number, version, next_row }: RepositoryState,
  { head, memory, requests, cited, files, added }: NewState,
): Promise<boolean | undefined> {
  const sql = 'UPDATE repository SET version = version + 1 WHERE number = $1 AND version = $2 RETURNING number';
  if ((await query(sql, [number, version])).length === 0) return undefined;
  const stored = await query<StoredRow>(
    `SELECT row, oid, id, kind, request, path, freshness, state, record->'anchors' AS anchors, '{}'::text[] AS prints,
       CASE WHEN kind = 'mark' OR jsonb_array_length(coalesce(record->'supersedes', '[]')) > 0 THEN
         jsonb_build_object('kind', kind, 'id', id, 'type', type, 'targets', record->'targets', 'by', record->>'by',
           'supersedes', coalesce(record->'supersedes', '[]')) END AS statement
     FROM record WHERE repository = $1
     UNION ALL SELECT NULL, oid, id, kind, request, '', 'unknown', '{}', NULL, prints::text[], statement
     FROM withheld WHERE repository = $1`,
    [number],
  );
  const { kept, gone, joining, requestOf, isReviewed } = sortOut(stored, added, files);
  const withheld = await judgeRedactions(query, number, { kept, joining, isReviewed });
  const isShown = ({ oid }: { oid: string }) => !withheld.blobs.has(oid);
  const staying = kept.filter(isShown);
  // Of withheld records too: what one replaces stays replaced.
  const states = foldMarks([
    ...kept.filter(isReviewed).flatMap(({ statement }) => statement ?? []),
    ...joining.filter(isReviewed).flatMap(({ record }) => statementOf(record) ?? []),
  ]);
  const { isLifted } = await storeWithheld(query, number, { kept, joining, requestOf, withheld });
  const removed = [...gone, ...kept.filter((one) => !isShown(one))].flatMap(({ row }) => row ?? []);
  await removeRows(query, number, removed);
  await update(query, number, staying, (row) => {
    const request = requestOf(row);
    const freshness = row.anchors === null ? 'unknown' : freshnessOf(cited, request, row.anchors);
    return { request, freshness, state: states.of(row.id), path: files?.get(row.oid)?.path ?? row.path };
  });
  const admitted = joining.filter(isShown);
  const rows = admitted.map((parsed, i): NewRow => {
    const { record } = parsed;
    const request = requestOf(parsed);
    const freshness = freshnessOf(cited, request, record.kind === 'observation' ? record.anchors : {});
    const path = files?.get(parsed.oid)?.path ?? '';
    return { row: next_row + i, path, parsed, request, freshness, state: states.of(record.id) };
  });
  await addRows(query, number, rows);
  await query(
    `UPDATE repository SET head = $2, memory = $3, requests = $5::text::jsonb, next_row = next_row + $4, synced_at = now(),
       (documents, records, bytes, lengths) = (
         SELECT count(*), count(*) FILTER (WHERE NOT hidden AND kind IN ('observation', 'summary')), coalesce(sum(bytes), 0),
           ARRAY[coalesce(sum(lengths[1]), 0), coalesce(sum(lengths[2]), 0), coalesce(sum(lengths[3]), 0),
             coalesce(sum(lengths[4]), 0), coalesce(sum(lengths[5]), 0)]
         FROM record WHERE repository = $1)
     WHERE number = $1`,
    [number, head, isLifted ? '' : memory, rows.length, JSON.stringify(requests)],
  );
  if (isLifted) await query(`UPDATE repository SET ${DUE_NOW} WHERE number = $1`, [number]);
  return removed.length > 0 || admitted.length < joining.length;
}

/** Writes what changed about the records that stay. */
async function update(
  query: Query,
  number: number,
  rows: StoredRow[],
  standingOf: (row: StoredRow) => Pick<StoredRow, 'request' | 'freshness' | 'state' | 'path'>,
): Promise<void> {
  const changed = rows.flatMap((row) => {
    if (row.row === null) return [];
    const { request, freshness, state, path } = standingOf(row);
    const isSame = freshness === row.freshness && request === row.request && path === row.path;
    if (isSame && isDeepStrictEqual(state, row.state)) return [];
    return [{ row: row.row, path, request, trust: trustOf(request), freshness, state, hidden: isHidden(state) }];
  });
  if (changed.length === 0) return;
  await query(
    `UPDATE record SET path = new.path, trust = new.trust, request = new.request, freshness = new.freshness, state = new.state, hidden = new.hidden
     FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, path text, request integer, trust text, freshness text, state jsonb, hidden boolean)
     WHERE record.repository = $1 AND record.row = new.row`,
    [number, jsonFor(changed)],
  );
}

/** The files that a pull request changes are not those of the indexed commit. */
function freshnessOf(cited: Whereabouts, request: number | null, anchors: Record<string, string>): Freshness {
  if (request !== null) return 'unknown';
  const files = Object.entries(anchors).map(([path, blob]) => ({ path, blobs: [blob] }));
  return judged(files, cited).freshness;
}
