import { type EffectiveState, isHidden } from '../../memory/marks.ts';
import { typeOf } from '../../memory/record.ts';
import type { Freshness } from '../../provenance/levels.ts';
import { jsonFor, type Query } from '../database/database.ts';
import type { Parsed } from './parsed.ts';

/** Records inserted with one statement: their JSON is one argument, which the process holds as a whole. */
const BATCH = 500;

/** Longest part of a path that is a key, in characters of up to four bytes: a B-tree of PostgreSQL takes 2704 bytes. */
const LONGEST_PATH = 500;

/** A new record with what its repository says of it. */
export interface NewRow {
  row: number;
  path: string;
  parsed: Parsed;
  freshness: Freshness;
  state: EffectiveState;
}

/** Removes rows of a repository, and everything that finds them. */
export async function removeRows(query: Query, repository: number, rows: number[]): Promise<void> {
  if (rows.length === 0) return;
  await query('DELETE FROM record WHERE repository = $1 AND row = ANY ($2)', [repository, rows]);
  await query(
    `UPDATE posting SET rows = ARRAY(SELECT row FROM unnest(rows) row WHERE row <> ALL ($2))
     WHERE repository = $1 AND rows && $2`,
    [repository, rows],
  );
  await query("DELETE FROM posting WHERE repository = $1 AND rows = '{}'", [repository]);
}

/** Throws where the signal ends it. */
export async function addRows(query: Query, repository: number, rows: NewRow[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH) {
    signal.throwIfAborted();
    const batch = rows.slice(at, at + BATCH).map(storedOf);
    await query(
      `INSERT INTO record (repository, row, oid, path, id, kind, type, created, author, session, prompt, concepts, files,
         record, terms, lengths, length, spelling, bytes, prints, freshness, state, hidden)
       SELECT $1, row, oid, path, id, kind, type, created, author, session, prompt, concepts, files,
         record, terms, lengths, length, spelling, bytes, prints, freshness, state, hidden
       FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, oid text, path text, id text, kind text, type text,
         created text, author text, session text, prompt integer, concepts text[], files text[], record jsonb,
         terms text[], lengths integer[], length integer, spelling text, bytes integer, prints bigint[], freshness text, state jsonb, hidden boolean)`,
      [repository, jsonFor(batch)],
    );
  }
  signal.throwIfAborted();
  const postings = postingsOf(rows);
  // In the order of the index, where neighbours share pages; and without looking for what cannot be there.
  const [any] = await query('SELECT 1 AS one FROM posting WHERE repository = $1 LIMIT 1', [repository]);
  await query(
    `INSERT INTO posting (key, repository, rows)
     SELECT key, $1, rows::integer[] FROM unnest($2::text[], $3::text[]) AS new (key, rows) ORDER BY key COLLATE "C"
     ${any === undefined ? '' : 'ON CONFLICT (key, repository) DO UPDATE SET rows = posting.rows || excluded.rows'}`,
    [repository, [...postings.keys()], [...postings.values()].map((list) => `{${list.join(',')}}`)],
  );
}

/** The rows that each word and each cited path has. */
function postingsOf(rows: NewRow[]): Map<string, number[]> {
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
  return postings;
}

function storedOf({ row, path, parsed, freshness, state }: NewRow): object {
  const { oid, record, card, terms, lengths, spelling, bytes, prints } = parsed;
  const { id, kind, created, session, prompt_number: prompt, concepts, files } = card;
  const { name, by } = record.generated;
  const length = lengths.reduce((sum, one) => sum + one, 0);
  const about = { id, kind, type: typeOf(record), created, session, prompt, concepts, files, author: name ?? by };
  const standing = { freshness, state, hidden: isHidden(state) };
  return { row, oid, path, ...about, record, terms, lengths, length, spelling, bytes, prints, ...standing };
}
