import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GitMemError } from '../../errors.ts';
import { type EffectiveState, foldMarks, isHidden, type Statement } from '../../memory/marks.ts';
import type { Mark, MemoryRecord } from '../../memory/record.ts';
import { createFreshness, type FreshnessJudge } from '../../provenance/freshness.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { redactionsOf } from '../../provenance/redactions.ts';
import type { Environment } from '../../user-folders.ts';
import type { HubConfig } from '../config.ts';
import type { Database, Query } from '../database/database.ts';
import { fetchMirror, type Mirror, remoteHead } from './mirror.ts';
import { type Parsed, parseBlobs, recordFiles } from './parsed.ts';
import {
  printKey,
  printsOf,
  purgeElsewhere,
  type RedactedPassage,
  readWithheldAgain,
  redactedPassages,
} from './redactions.ts';
import { type OpenRequests, parseRequested, requestedRecords } from './requests.ts';
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

/** Where the records are, by their blobs. */
type Files = Map<string, { path: string; request: number | null }>;

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
 * Brings one repository up to date with its default branch; tells whether anything was to do. All changes are one
 * transaction: a process killed at any instant leaves the old state or the new one.
 */
export async function syncRepository(
  database: Database,
  state: RepositoryState,
  { config, env, requests }: { config: HubConfig; env: Environment; requests: OpenRequests },
): Promise<boolean> {
  const head = await remoteHead(state.url, env);
  const isSameRequests = isDeepStrictEqual(requests, state.requests);
  if (head === state.head && isSameRequests && state.memory !== '') return false;
  if (head === '') {
    await database.transaction((query) =>
      write(query, state, { head, memory: 'empty', requests: {}, judge: judgeOf([]), files: new Map(), added: [] }),
    );
    return true;
  }
  const mirror = await fetchMirror(join(config.folder, 'mirrors'), state.url, env);
  const { query } = database;
  const { limits } = config;
  const reviewed = recordFiles(mirror, limits);
  const requested = await requestedRecords(mirror, requests, { reviewed, limits });
  const files: Files = new Map(requested);
  for (const [blob, path] of reviewed) files.set(blob, { path, request: null });
  const memory = createHash('sha256')
    .update(JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
  const known = await query<{ oid: string }>('SELECT oid FROM record WHERE repository = $1', [state.number]);
  for (const { oid } of known) for (const fresh of [reviewed, requested]) fresh.delete(oid);
  const isSame = memory === state.memory;
  const added = isSame ? [] : await parseBlobs(reviewed, mirror, { query, limits, env });
  if (!isSame) added.push(...(await parseRequested(requested, mirror, { query, limits, env })));
  const judge = judgeOf(mirror.files);
  const isPurged = await database.transaction((query) =>
    write(query, state, { head: mirror.head, memory, requests, judge, files: isSame ? undefined : files, added }),
  );
  if (isPurged) mirror.remove();
  return true;
}

/** The judge of anchors at a commit. */
function judgeOf(files: Mirror['files']): FreshnessJudge {
  const blobs = new Map(files.map(({ path, blob }) => [path, blob]));
  const paths = new Map<string, string[]>();
  for (const { path, blob } of files) paths.set(blob, [...(paths.get(blob) ?? []), path]);
  return createFreshness({
    root: '/',
    format: files[0]?.blob.length === 64 ? 'sha256' : 'sha1',
    look(path) {
      const own = blobs.get(path);
      return own === undefined ? undefined : (blob) => blob === own;
    },
    pathsOf: (blob) => paths.get(blob) ?? [],
  });
}

/** Writes the new state; `files` is missing if only cited files changed. Tells whether text was purged. */
async function write(
  query: Query,
  { number, version, next_row }: RepositoryState,
  {
    head,
    memory,
    requests,
    judge,
    files,
    added,
  }: {
    head: string;
    memory: string;
    requests: OpenRequests;
    judge: FreshnessJudge;
    files: Files | undefined;
    added: Parsed[];
  },
): Promise<boolean> {
  await claimVersion(query, number, version);
  const stored = await query<StoredRow>(
    `SELECT row, oid, id, kind, request, freshness, state, record->'anchors' AS anchors,
       CASE WHEN kind = 'mark' OR jsonb_array_length(coalesce(record->'supersedes', '[]')) > 0 THEN
         jsonb_build_object('kind', kind, 'id', id, 'type', type, 'targets', record->'targets', 'by', record->>'by',
           'supersedes', coalesce(record->'supersedes', '[]')) END AS statement
     FROM record WHERE repository = $1`,
    [number],
  );
  const requestOf = ({ oid, request = null }: { oid: string; request?: number | null }) =>
    files === undefined ? request : (files.get(oid)?.request ?? null);
  const isReviewed = (one: { oid: string; request?: number | null }) => requestOf(one) === null;
  const there = files === undefined ? stored : stored.filter(({ oid }) => files.has(oid));
  // Nobody outside the default branch says what a record of it says.
  const reviewed = new Set([
    ...there.filter(isReviewed).map(({ id }) => id),
    ...added.filter(isReviewed).map(({ record }) => record.id),
  ]);
  const kept = there.filter((one) => isReviewed(one) || !reviewed.has(one.id));
  const staysOn = new Set(kept);
  const gone = stored.filter((one) => !staysOn.has(one));
  const taken = new Set(kept.map(({ id }) => id));
  const joining = added.filter((one) => {
    if (isReviewed(one)) return true;
    const isFirst = !reviewed.has(one.record.id) && !taken.has(one.record.id);
    taken.add(one.record.id);
    return isFirst;
  });
  const redaction = await redact(query, number, { kept, gone, added: joining });
  const isRedacted = (row: { id: string }) => redaction.ids.has(row.id);
  const staying = kept.filter((row) => !isRedacted(row));
  const states = foldMarks([
    ...kept.filter(isReviewed).flatMap(({ statement }) => statement ?? []),
    ...redaction.admitted.filter(isReviewed).map(({ record }): Statement => record),
  ]);
  const removed = [...gone, ...kept.filter(isRedacted)].map(({ row }) => row);
  await removeRows(query, number, removed);
  await update(query, number, staying, { judge, requestOf, stateOf: (id) => states.of(id) });
  const rows = redaction.admitted.map((parsed, i): NewRow => {
    const { record } = parsed;
    const request = requestOf(parsed);
    const freshness = freshnessOf(judge, request, record.kind === 'observation' ? record.anchors : {});
    const path = files?.get(parsed.oid)?.path ?? '';
    return { row: next_row + i, path, parsed, request, freshness, state: states.of(record.id) };
  });
  await addRows(query, number, rows);
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

/** Only one sync commits over a state, whatever became of claims. Throws busy. */
async function claimVersion(query: Query, number: number, version: number): Promise<void> {
  const sql = 'UPDATE repository SET version = version + 1 WHERE number = $1 AND version = $2 RETURNING number';
  if ((await query(sql, [number, version])).length > 0) return;
  throw new GitMemError('busy', 'Another worker changed the repository meanwhile; it is synced again.');
}

/** What redactions leave of the new records, and the ids of redacted ones. */
async function redact(
  query: Query,
  number: number,
  { kept, gone, added }: { kept: StoredRow[]; gone: StoredRow[]; added: Parsed[] },
): Promise<{ ids: Set<string>; admitted: Parsed[]; withheld: number }> {
  const markRows = kept.filter(({ kind }) => kind === 'mark').map(({ row }) => row);
  const recordsAt = async (rows: number[]) => {
    if (rows.length === 0) return [];
    const sql = 'SELECT record FROM record WHERE repository = $1 AND row = ANY ($2)';
    return (await query<{ record: MemoryRecord }>(sql, [number, rows])).map(({ record }) => record);
  };
  const marks = [...(await recordsAt(markRows)), ...added.map(({ record }) => record)].filter(isMark);
  const own = redactionsOf(marks);
  const key = await printKey(query);
  const isTarget = ({ id }: { id: string }) => own.ids.has(id);
  const targets = [
    ...(await recordsAt([...kept, ...gone].filter(isTarget).map(({ row }) => row))),
    ...added.map(({ record }) => record).filter(isTarget),
  ];
  const passages = targets.flatMap((target) => redactedPassages(target, marks, key));
  await keepPrints(query, number, { passages, marks, key });
  const foreign = await foreignPrints(query, number, added, key);
  const ownFree = added.filter(({ record }) => !own.ids.has(record.id) && own.against(record) === undefined);
  const isForeign = ({ record }: Parsed) => foreign.size > 0 && printsOf(record, key).some((one) => foreign.has(one));
  const admitted = ownFree.filter((one) => !isForeign(one));
  return { ids: own.ids, admitted, withheld: ownFree.length - admitted.length };
}

function isMark(record: MemoryRecord): record is Mark {
  return record.kind === 'mark';
}

/** Keeps the prints of what this repository redacts, purges it elsewhere, and lifts what no mark redacts any more. */
async function keepPrints(
  query: Query,
  number: number,
  { passages, marks, key }: { passages: RedactedPassage[]; marks: Mark[]; key: string },
): Promise<void> {
  const active = [...redactionMarks(marks)];
  const sql = 'DELETE FROM redaction WHERE repository = $1 AND mark <> ALL ($2) RETURNING mark';
  const lifted = await query(sql, [number, active]);
  if (lifted.length > 0) await readWithheldAgain(query);
  if (passages.length === 0) return;
  await query(
    `INSERT INTO redaction (repository, mark, print) SELECT $1, mark, print FROM unnest($2::text[], $3::text[]) new (mark, print)
     ON CONFLICT DO NOTHING`,
    [number, passages.map(({ mark }) => mark), passages.map(({ print }) => print)],
  );
  await purgeElsewhere(query, number, { passages, key });
}

function redactionMarks(marks: Mark[]): Set<string> {
  const undone = new Set(marks.filter(({ type }) => type === 'undo').flatMap(({ targets }) => targets));
  return new Set(marks.filter(({ type, id }) => type === 'redact' && !undone.has(id)).map(({ id }) => id));
}

/** The prints of new records that other repositories redacted. */
async function foreignPrints(query: Query, number: number, added: Parsed[], key: string): Promise<Set<string>> {
  const [any] = await query('SELECT 1 AS one FROM redaction WHERE repository <> $1 LIMIT 1', [number]);
  if (any === undefined || added.length === 0) return new Set();
  const prints = [...new Set(added.flatMap(({ record }) => printsOf(record, key)))];
  const sql = 'SELECT DISTINCT print FROM redaction WHERE repository <> $1 AND print = ANY ($2)';
  return new Set((await query<{ print: string }>(sql, [number, prints])).map(({ print }) => print));
}

/** Writes what changed about the records that stay. */
async function update(
  query: Query,
  number: number,
  rows: StoredRow[],
  {
    judge,
    requestOf,
    stateOf,
  }: {
    judge: FreshnessJudge;
    requestOf: (row: StoredRow) => number | null;
    stateOf: (id: string) => EffectiveState;
  },
): Promise<void> {
  const changed = rows.flatMap((row) => {
    const request = requestOf(row);
    const freshness = row.anchors === null ? 'unknown' : freshnessOf(judge, request, row.anchors);
    const state = stateOf(row.id);
    if (freshness === row.freshness && request === row.request && isSameState(state, row.state)) return [];
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

function isSameState(a: EffectiveState, b: EffectiveState): boolean {
  const textOf = (s: EffectiveState) =>
    [s.superseded_by.join(), s.retired, s.redacted, s.pinned, s.verified, s.disputed].join();
  return textOf(a) === textOf(b);
}
