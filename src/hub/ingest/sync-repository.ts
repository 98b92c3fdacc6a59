import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type EffectiveState, foldMarks, isHidden, type Statement } from '../../memory/marks.ts';
import type { FreshnessJudge } from '../../provenance/freshness.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { judgeOfTree } from '../../provenance/whereabouts.ts';
import type { Environment } from '../../user-folders.ts';
import type { HubConfig } from '../config.ts';
import type { Database, Query } from '../database/database.ts';

import { noteDisputes } from './disputes.ts';
import { fetchMirror, headOf, type Mirror } from './mirror.ts';
import { type Files, type Parsed, parseFiles, recordFiles, tooLarge } from './parsed.ts';
import { redact } from './redactions.ts';
import { type OpenRequests, parseRequested, requestedRecords, sortOut } from './requests.ts';
import { addRows, type NewRow, removeRows, trustOf } from './rows.ts';

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

interface StoredRow {
  row: number;
  request: number | null;
  oid: string;
  id: string;
  kind: string;
  freshness: Freshness;
  state: EffectiveState;
  anchors: Record<string, string> | null;
  statement: Statement | null;
}

/**
 * Brings one repository up to date with its default branch; tells whether anything was to do, or that another sync
 * committed first and nothing was written. All changes are one transaction: a process killed at any instant leaves the
 * old state or the new one.
 */
export async function syncRepository(
  database: Database,
  state: RepositoryState,
  { config, env, requests }: { config: HubConfig; env: Environment; requests: OpenRequests },
): Promise<boolean | 'overtaken'> {
  const head = await headOf(state.url, env);
  const isSameRequests = isDeepStrictEqual(requests, state.requests);
  if (head === state.head && isSameRequests && state.memory !== '') return false;
  if (head === '') {
    const empty = { head, memory: 'empty', requests: {}, judge: judgeOf([]), files: new Map(), added: [] };
    return (await database.transaction((query) => write(query, state, empty))) !== undefined || 'overtaken';
  }
  const mirror = await fetchMirror(join(config.folder, 'mirrors'), state.url, env);
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
  const known = await query<{ oid: string }>('SELECT oid FROM record WHERE repository = $1', [state.number]);
  for (const { oid } of known) for (const fresh of [reviewed, requested]) fresh.delete(oid);
  const isSame = memory === state.memory;
  const parse = (some: Files, stricter: Partial<typeof limits> = {}) =>
    parseFiles(some, mirror, { query, limits: { ...limits, ...stricter }, env });
  const added = isSame ? [] : [...(await parse(reviewed)), ...(await parseRequested(requested, parse))];
  const judge = judgeOf(mirror.files);
  const isPurged = await database.transaction((query) =>
    write(query, state, { head: mirror.head, memory, requests, judge, files: isSame ? undefined : files, added }),
  );
  if (isPurged) mirror.remove();
  return isPurged !== undefined || 'overtaken';
}

/** The judge of anchors at a commit. */
function judgeOf(files: Mirror['files']): FreshnessJudge {
  return judgeOfTree(files, files[0]?.blob.length === 64 ? 'sha256' : 'sha1');
}

interface NewState extends Pick<RepositoryState, 'head' | 'memory' | 'requests'> {
  judge: FreshnessJudge;
  /** Missing if only cited files changed. */
  files: Files | undefined;
  added: Parsed[];
}

/** Writes the new state; tells whether text was purged. Undefined, and nothing written, if another sync committed first. */
async function write(
  query: Query,
  { number, version, next_row }: RepositoryState,
  { head, memory, requests, judge, files, added }: NewState,
): Promise<boolean | undefined> {
  const sql = 'UPDATE repository SET version = version + 1 WHERE number = $1 AND version = $2 RETURNING number';
  if ((await query(sql, [number, version])).length === 0) return undefined;
  const stored = await query<StoredRow>(
    `SELECT row, oid, id, kind, request, freshness, state, record->'anchors' AS anchors,
       CASE WHEN kind = 'mark' OR jsonb_array_length(coalesce(record->'supersedes', '[]')) > 0 THEN
         jsonb_build_object('kind', kind, 'id', id, 'type', type, 'targets', record->'targets', 'by', record->>'by',
           'supersedes', coalesce(record->'supersedes', '[]')) END AS statement
     FROM record WHERE repository = $1`,
    [number],
  );
  const { kept, gone, joining, requestOf, isReviewed } = sortOut(stored, added, files);
  const redaction = await redact(query, number, { kept, gone, added: joining });
  const isRedacted = (row: { id: string }) => redaction.ids.has(row.id);
  const staying = kept.filter((row) => !isRedacted(row));
  const states = foldMarks([
    ...kept.filter(isReviewed).flatMap(({ statement }) => statement ?? []),
    ...redaction.admitted.filter(isReviewed).map(({ record }): Statement => record),
  ]);
  const removed = [...gone, ...kept.filter(isRedacted)].map(({ row }) => row);
  await removeRows(query, number, removed);
  await update(query, number, staying, (row) => {
    const request = requestOf(row);
    const freshness = row.anchors === null ? 'unknown' : freshnessOf(judge, request, row.anchors);
    return { request, freshness, state: states.of(row.id) };
  });
  const rows = redaction.admitted.map((parsed, i): NewRow => {
    const { record } = parsed;
    const request = requestOf(parsed);
    const freshness = freshnessOf(judge, request, record.kind === 'observation' ? record.anchors : {});
    const path = files?.get(parsed.oid)?.path ?? '';
    return { row: next_row + i, path, parsed, request, freshness, state: states.of(record.id) };
  });
  await addRows(query, number, rows);
  if (files !== undefined) await noteDisputes(query, number);
  await query(
    `UPDATE repository SET head = $2, memory = $3, requests = $6::text::jsonb, next_row = next_row + $4, withheld = withheld + $5, synced_at = now(),
       (documents, records, bytes, lengths) = (
         SELECT count(*), count(*) FILTER (WHERE NOT hidden AND kind IN ('observation', 'summary')), coalesce(sum(bytes), 0),
           ARRAY[coalesce(sum(lengths[1]), 0), coalesce(sum(lengths[2]), 0), coalesce(sum(lengths[3]), 0),
             coalesce(sum(lengths[4]), 0), coalesce(sum(lengths[5]), 0)]
         FROM record WHERE repository = $1)
     WHERE number = $1`,
    [number, head, memory, rows.length, redaction.withheld, JSON.stringify(requests)],
  );
  return removed.length > 0;
}

/** Writes what changed about the records that stay. */
async function update(
  query: Query,
  number: number,
  rows: StoredRow[],
  standingOf: (row: StoredRow) => Pick<StoredRow, 'request' | 'freshness' | 'state'>,
): Promise<void> {
  const changed = rows.flatMap((row) => {
    const { request, freshness, state } = standingOf(row);
    if (freshness === row.freshness && request === row.request && isDeepStrictEqual(state, row.state)) return [];
    return [{ row: row.row, request, trust: trustOf(request), freshness, state, hidden: isHidden(state) }];
  });
  if (changed.length === 0) return;
  await query(
    `UPDATE record SET trust = new.trust, request = new.request, freshness = new.freshness, state = new.state, hidden = new.hidden
     FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, request integer, trust text, freshness text, state jsonb, hidden boolean)
     WHERE record.repository = $1 AND record.row = new.row`,
    [number, JSON.stringify(changed)],
  );
}

/** The files that a pull request changes are not those of the indexed commit. */
function freshnessOf(judge: FreshnessJudge, request: number | null, anchors: Record<string, string>): Freshness {
  return request === null ? judge.of(anchors) : 'unknown';
}
