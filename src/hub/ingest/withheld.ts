import { activeMarks, type Statement } from '../../memory/marks.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { jsonFor, type Query } from '../database/database.ts';
import { DUE_NOW } from '../database/tables.ts';
import type { Parsed } from './parsed.ts';

/** What judging needs to know of a record that the database has, in a row or among the withheld ones. */
export interface KnownRecord {
  /** Null for a withheld record. */
  row: number | null;
  oid: string;
  id: string;
  kind: string;
  /** Of a withheld record; those of a row stay in the database. */
  prints: string[];
  statement: Statement | null;
}

/** The blobs of a repository's tree that are not indexed. */
export interface Withheld {
  blobs: ReadonlySet<string>;
  /** Those of them that a redact mark of this repository names: they are withheld wherever the same blob is. */
  targets: ReadonlySet<string>;
  /** Those that are withheld only because another repository redacts the same blob. */
  elsewhere: ReadonlySet<string>;
}

/**
 * Decides from the whole tree which records are withheld, old and new ones alike, so that the answer does not depend on
 * the order of syncs: what a redact mark of the reviewed branch names, what repeats a sentence of it in the same
 * repository, and blobs that another repository redacts. A sentence never acts in another repository: anyone who may merge
 * into one could empty the others with it, and learn by what is missing what they redacted.
 */
export async function judgeRedactions(
  query: Query,
  number: number,
  { kept, added }: { kept: KnownRecord[]; added: Parsed[] },
): Promise<Withheld> {
  const records = [
    ...kept,
    ...added.map(({ oid, record, prints }) => {
      return { row: null, oid, id: record.id, kind: record.kind, prints, statement: statementOf(record) };
    }),
  ];
  const marks = records.flatMap(({ statement }) => (statement?.kind === 'mark' ? [statement] : []));
  const redactions = activeMarks(marks).filter(({ type }) => type === 'redact');
  const named = new Set(redactions.flatMap(({ targets }) => targets));
  const content = records.filter(({ kind }) => kind !== 'mark');
  const targets = content.filter((one) => named.has(one.id));
  const prints = new Set(targets.flatMap((one) => one.prints));
  const rows = targets.flatMap(({ row }) => row ?? []);
  for (const one of await printsAt(query, number, rows)) prints.add(one);
  const repeating = await rowsWith(query, number, prints);
  const foreign = await redactedElsewhere(query, number, content);
  const isRedacted = ({ id, oid, prints: own }: { id: string; oid: string; prints: string[] }) =>
    named.has(id) || repeating.has(oid) || own.some((one) => prints.has(one));
  const redacted = new Set(content.filter(isRedacted).map(({ oid }) => oid));
  const elsewhere = new Set([...foreign].filter((oid) => !redacted.has(oid)));
  return {
    elsewhere,
    blobs: new Set([...redacted, ...elsewhere]),
    targets: new Set(targets.map(({ oid }) => oid)),
  };
}

/** Brings the table of withheld records up to date, and makes the repositories with the same blobs due where that matters. */
export async function storeWithheld(
  query: Query,
  number: number,
  { kept, added, withheld }: { kept: KnownRecord[]; added: Parsed[]; withheld: Withheld },
): Promise<{ isLifted: boolean }> {
  const { blobs, targets, elsewhere } = withheld;
  const before = await query<{ oid: string; target: boolean }>(
    'SELECT oid, target FROM withheld WHERE repository = $1',
    [number],
  );
  const here = new Set(kept.filter(({ row }) => row === null).map(({ oid }) => oid));
  const over = before.filter(({ oid }) => !blobs.has(oid)).map(({ oid }) => oid);
  await query('DELETE FROM withheld WHERE repository = $1 AND oid = ANY ($2)', [number, over]);
  // Before the rows go, what is not their text.
  const rows = kept.filter(({ row, oid }) => row !== null && blobs.has(oid));
  await query(
    `INSERT INTO withheld (repository, oid, id, kind, target, elsewhere, prints, statement)
     SELECT $1, r.oid, r.id, r.kind, false, false, r.prints, new.statement
     FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, statement jsonb)
     JOIN record r ON r.repository = $1 AND r.row = new.row`,
    [number, jsonFor(rows.map(({ row, statement }) => ({ row, statement })))],
  );
  const joining = added
    .filter(({ oid }) => blobs.has(oid))
    .map(({ oid, record, prints }) => {
      return { oid, id: record.id, kind: record.kind, prints, statement: statementOf(record) };
    });
  await query(
    `INSERT INTO withheld (repository, oid, id, kind, target, elsewhere, prints, statement)
     SELECT $1, oid, id, kind, false, false, prints, statement
     FROM jsonb_to_recordset($2::text::jsonb) AS new (oid text, id text, kind text, prints bigint[], statement jsonb)`,
    [number, jsonFor(joining)],
  );
  const now = [...kept, ...added]
    .filter(({ oid }) => blobs.has(oid))
    .map(({ oid }) => ({ oid, target: targets.has(oid), elsewhere: elsewhere.has(oid) }));
  await query(
    `UPDATE withheld SET target = new.target, elsewhere = new.elsewhere
     FROM jsonb_to_recordset($2::text::jsonb) AS new (oid text, target boolean, elsewhere boolean)
     WHERE withheld.repository = $1 AND withheld.oid = new.oid
       AND (withheld.target, withheld.elsewhere) IS DISTINCT FROM (new.target, new.elsewhere)`,
    [number, jsonFor(now)],
  );
  const were = new Set(before.filter(({ target }) => target).map(({ oid }) => oid));
  const changed = [...new Set([...were, ...targets])].filter((oid) => were.has(oid) !== targets.has(oid));
  if (changed.length > 0) {
    await query(
      `UPDATE repository SET memory = '', ${DUE_NOW} WHERE number <> $1 AND number IN (
         SELECT repository FROM record WHERE oid = ANY ($2) UNION SELECT repository FROM withheld WHERE oid = ANY ($2))`,
      [number, changed],
    );
  }
  // Their text is read again from git.
  return { isLifted: over.some((oid) => here.has(oid)) };
}

/** What a record says about others, which holds no text. */
export function statementOf(record: MemoryRecord): Statement | null {
  if (record.kind === 'mark') {
    const { kind, id, type, targets, by } = record;
    return { kind, id, type, targets, ...(by !== undefined && { by }) };
  }
  if (record.kind === 'prompt' || record.supersedes.length === 0) return null;
  const { kind, id, supersedes } = record;
  return { kind, id, supersedes };
}

async function printsAt(query: Query, number: number, rows: number[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const sql = 'SELECT prints::text[] AS prints FROM record WHERE repository = $1 AND row = ANY ($2)';
  return (await query<{ prints: string[] }>(sql, [number, rows])).flatMap(({ prints }) => prints);
}

async function rowsWith(query: Query, number: number, prints: ReadonlySet<string>): Promise<Set<string>> {
  if (prints.size === 0) return new Set();
  const sql = 'SELECT oid FROM record WHERE repository = $1 AND prints && $2::text[]::bigint[]';
  return new Set((await query<{ oid: string }>(sql, [number, [...prints]])).map(({ oid }) => oid));
}

async function redactedElsewhere(query: Query, number: number, content: { oid: string; row: number | null }[]) {
  const found = await query<{ oid: string }>(
    `SELECT DISTINCT w.oid FROM withheld w WHERE w.target AND w.repository <> $1 AND (w.oid = ANY ($2)
       OR EXISTS (SELECT FROM record r WHERE r.oid = w.oid AND r.repository = $1))`,
    [number, content.filter(({ row }) => row === null).map(({ oid }) => oid)],
  );
  return new Set(found.map(({ oid }) => oid));
}
