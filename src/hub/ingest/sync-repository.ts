import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { idOf } from '../../memory/id.ts';
import { type EffectiveState, foldMarks, isHidden, type Statement } from '../../memory/marks.ts';
import { type MemoryRecord, typeOf } from '../../memory/record.ts';
import { judged, type Whereabouts } from '../../provenance/freshness.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { filesOfTree } from '../../provenance/whereabouts.ts';
import type { HubConfig } from '../config.ts';
import { type Database, jsonFor, type Query } from '../database/database.ts';
import { DUE_NOW } from '../database/tables.ts';
import { headOf, type Mirror, type Syncing, tooLarge, withMirror } from './mirror.ts';
import { type Files, type Parsed, parseFiles, printKey, recordFiles } from './parsed.ts';
import { type KnownRecord, withhold } from './withheld.ts';

/** A repository as it was when its sync began. */
export interface RepositoryState {
  number: number;
  url: string;
  head: string;
  memory: string;
  version: number;
  next_row: number;
}

/** What depends on a record's repository. */
interface Standing {
  path: string;
  freshness: Freshness;
  state: EffectiveState;
}

/** A row, or a withheld record, which has no standing. */
type StoredRow = KnownRecord & Standing & { anchors: Record<string, string> | null };

/**
 * Brings one repository up to date with its default branch. Returns whether anything changed, or `overtaken` if another sync
 * committed first and nothing was written. All changes are one transaction: a process killed at any instant leaves the old
 * state or the new one.
 */
export async function syncRepository(
  database: Database,
  state: RepositoryState,
  { config, ...syncing }: Syncing & { config: HubConfig },
): Promise<boolean | 'overtaken'> {
  const head = await headOf(state.url, syncing);
  if (head === state.head && state.memory !== '') return false;
  const folder = join(config.folder, 'mirrors', idOf(state.url, String(state.number)));
  const next =
    head === ''
      ? { head, memory: 'empty', cited: filesOfTree([], new Map()), files: new Map(), added: [] }
      : await withMirror(folder, state.url, syncing, (mirror) =>
          nextState(database, state, mirror, { config, ...syncing }),
        );
  syncing.signal.throwIfAborted();
  return (await database.transaction((query) => write(query, state, next, syncing))) || 'overtaken';
}

interface NewState extends Pick<RepositoryState, 'head' | 'memory'> {
  /** The commit's files, including cited ones. */
  cited: Whereabouts;
  /** Missing if only cited files changed. */
  files: Files | undefined;
  /** New records. */
  added: Parsed[];
}

/** What the mirror has and the database lacks. */
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
  const sorted = JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const memory = createHash('sha256').update(sorted).digest('hex');
  // Contents are not fetched for this: a changed file's freshness is unknown.
  const next = { head: mirror.head, memory, cited: filesOfTree(mirror.files, new Map()) };
  if (memory === state.memory) return { ...next, files: undefined, added: [] };
  const known = await query<{ oid: string }>(
    'SELECT oid FROM record WHERE repository = $1 UNION ALL SELECT oid FROM withheld WHERE repository = $1',
    [state.number],
  );
  const fresh = new Map(files);
  for (const { oid } of known) fresh.delete(oid);
  const key = await printKey(query);
  return { ...next, files, added: await parseFiles(fresh, mirror, { ...syncing, query, key, limits }) };
}

/** Writes the new state; returns false, with nothing written, if another sync committed first. */
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
  const kept = stored.filter(({ oid }) => files?.has(oid) ?? true);
  const records = [...kept, ...added.map(knownOf)];
  const { blobs, isLifted } = await withhold(query, number, records);
  // Includes withheld records: what one replaces stays replaced.
  const states = foldMarks(records.flatMap(({ statement }) => statement ?? []));
  const standingOf = ({ oid, id }: { oid: string; id: string }, anchors: Record<string, string>, path = '') => ({
    path: files?.get(oid) ?? path,
    freshness: freshnessOf(cited, anchors),
    state: states.of(id),
  });
  const isShown = ({ oid }: { oid: string }) => !blobs.has(oid) && (files?.has(oid) ?? true);
  await removeRows(
    query,
    number,
    stored.filter((one) => !isShown(one)).flatMap(({ row }) => row ?? []),
  );
  const changed = kept.filter(isShown).flatMap((one) => {
    const { row, path, freshness, state, anchors } = one;
    const now = standingOf(one, anchors ?? {}, path);
    const isSame = row === null || isDeepStrictEqual(now, { path, freshness, state });
    return isSame ? [] : [{ row, ...now, hidden: isHidden(now.state) }];
  });
  if (changed.length > 0) await query(UPDATE, [number, jsonFor(changed)]);
  const rows = added.filter(isShown).map((parsed, i): NewRow => {
    const { oid, record } = parsed;
    const anchors = record.kind === 'observation' ? record.anchors : {};
    return { row: next_row + i, parsed, ...standingOf({ oid, id: record.id }, anchors) };
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

/** Updates the records that stay. */
const UPDATE = `
  UPDATE record SET path = new.path, freshness = new.freshness, state = new.state, hidden = new.hidden
  FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, path text, freshness text, state jsonb, hidden boolean)
  WHERE record.repository = $1 AND record.row = new.row`;

function freshnessOf(cited: Whereabouts, anchors: Record<string, string>): Freshness {
  const files = Object.entries(anchors).map(([path, blob]) => ({ path, blobs: [blob] }));
  return judged(files, cited).freshness;
}

function knownOf({ oid, record, prints }: Parsed): KnownRecord {
  return { row: null, oid, id: record.id, kind: record.kind, prints, statement: statementOf(record) };
}

function statementOf(record: MemoryRecord): Statement | null {
  if (record.kind === 'mark') {
    const { kind, id, type, targets, by } = record;
    return { kind, id, type, targets, ...(by !== undefined && { by }) };
  }
  if (record.kind === 'prompt' || record.supersedes.length === 0) return null;
  const { kind, id, supersedes } = record;
  return { kind, id, supersedes };
}

/** Removes rows of a repository and their postings. */
async function removeRows(query: Query, repository: number, rows: number[]): Promise<void> {
  if (rows.length === 0) return;
  await query('DELETE FROM record WHERE repository = $1 AND row = ANY ($2)', [repository, rows]);
  await query(
    `UPDATE posting SET rows = ARRAY(SELECT row FROM unnest(rows) row WHERE row <> ALL ($2))
     WHERE repository = $1 AND rows && $2`,
    [repository, rows],
  );
  await query("DELETE FROM posting WHERE repository = $1 AND rows = '{}'", [repository]);
}

type NewRow = Standing & { row: number; parsed: Parsed };

/** Records inserted per statement: their JSON is one argument, held in memory as a whole. */
const BATCH = 500;

/** Longest path prefix used as a key, in characters of up to four bytes: a PostgreSQL B-tree takes 2704 bytes. */
const LONGEST_PATH = 500;

/** Inserts rows and their postings; throws if the signal aborts. */
async function addRows(query: Query, repository: number, rows: NewRow[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) {
    signal.throwIfAborted();
    await query(INSERT, [repository, jsonFor(rows.slice(at, at + BATCH).map(storedOf))]);
  }
  signal.throwIfAborted();
  const postings = new Map<string, number[]>();
  const add = (key: string, row: number) => {
    const list = postings.get(key);
    if (list === undefined) postings.set(key, [row]);
    else if (list.at(-1) !== row) list.push(row);
  };
  for (const { row, parsed } of rows) {
    for (const stream of parsed.terms) if (stream !== '') for (const word of stream.split(' ')) add(word, row);
    for (const path of parsed.card.files) add(`/${path.slice(0, LONGEST_PATH)}`, row);
  }
  // Sorted in index order, where neighbours share pages; without conflict checks if there are no postings yet.
  const [any] = await query('SELECT 1 AS one FROM posting WHERE repository = $1 LIMIT 1', [repository]);
  await query(
    `INSERT INTO posting (key, repository, rows)
     SELECT key, $1, rows::integer[] FROM unnest($2::text[], $3::text[]) AS new (key, rows) ORDER BY key COLLATE "C"
     ${any === undefined ? '' : 'ON CONFLICT (key, repository) DO UPDATE SET rows = posting.rows || excluded.rows'}`,
    [repository, [...postings.keys()], [...postings.values()].map((list) => `{${list.join(',')}}`)],
  );
}

const INSERT = `
  INSERT INTO record (repository, row, oid, path, id, kind, type, created, author, session, prompt, concepts, files,
    record, terms, lengths, length, spelling, bytes, prints, freshness, state, hidden)
  SELECT $1, new.* FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, oid text, path text, id text, kind text,
    type text, created text, author text, session text, prompt integer, concepts text[], files text[],
    record jsonb, terms text[], lengths integer[], length integer, spelling text, bytes integer, prints bigint[],
    freshness text, state jsonb, hidden boolean)`;

function storedOf({ parsed, ...standing }: NewRow): object {
  const { record, card, lengths, ...same } = parsed;
  const { id, kind, created, session, prompt_number: prompt, concepts, files } = card;
  const { name, by } = record.generated;
  const length = lengths.reduce((sum, one) => sum + one, 0);
  const about = { id, kind, type: typeOf(record), created, session, prompt, concepts, files, author: name ?? by };
  return { ...same, ...standing, ...about, record, lengths, length, hidden: isHidden(standing.state) };
}
