import { activeMarks, type Statement } from '../../memory/marks.ts';
import { jsonFor, type Query } from '../database/database.ts';
import { DUE_NOW } from '../database/tables.ts';

/** What `withhold` needs to know about a record of the tree. */
export interface KnownRecord {
  /** Null if the database has no row for it: it is new, or withheld. */
  row: number | null;
  oid: string;
  id: string;
  kind: string;
  /** Empty for a row, whose prints stay in the database. */
  prints: string[];
  /** What it says about other records; holds no text. */
  statement: Statement | null;
}

/**
 * Decides from the whole tree which records, old and new, are withheld, so that the result does not depend on the order of
 * syncs: those that a redact mark of the reviewed branch names, those that repeat a sentence of one in the same repository,
 * and blobs that another repository redacts. A sentence never acts in another repository: anyone who may merge into one
 * could empty the others with it, and learn from what goes missing what they redacted. Updates the table of withheld
 * records, and makes the repositories with the same blobs due if that changes them.
 */
export async function withhold(
  query: Query,
  number: number,
  records: KnownRecord[],
): Promise<{ blobs: Set<string>; isLifted: boolean }> {
  const marks = records.flatMap(({ statement }) => (statement?.kind === 'mark' ? [statement] : []));
  const redactions = activeMarks(marks).filter(({ type }) => type === 'redact');
  const named = new Set(redactions.flatMap((one) => one.targets));
  const content = records.filter(({ kind }) => kind !== 'mark');
  const targets = content.filter((one) => named.has(one.id));
  const { prints, repeating } = await repeated(query, number, targets);
  const isRedacted = (one: KnownRecord) =>
    named.has(one.id) || repeating.has(one.oid) || one.prints.some((print) => prints.has(print));
  const redacted = new Set(content.filter(isRedacted).map(({ oid }) => oid));
  const blobs = new Set([...redacted, ...(await redactedElsewhere(query, number, content))]);
  const before = await query<{ oid: string; target: boolean }>(
    'SELECT oid, target FROM withheld WHERE repository = $1',
    [number],
  );
  const over = before.filter(({ oid }) => !blobs.has(oid)).map(({ oid }) => oid);
  await query('DELETE FROM withheld WHERE repository = $1 AND oid = ANY ($2)', [number, over]);
  const now = new Set(targets.map(({ oid }) => oid));
  const standing = records
    .filter(({ oid }) => blobs.has(oid))
    .map((one) => ({ ...one, target: now.has(one.oid), elsewhere: !redacted.has(one.oid) }));
  // Saves everything but the text before the rows are removed.
  await query(
    `INSERT INTO withheld (repository, oid, id, kind, target, elsewhere, prints, statement)
     SELECT $1, new.oid, new.id, new.kind, new.target, new.elsewhere, coalesce(r.prints, new.prints), new.statement
     FROM jsonb_to_recordset($2::text::jsonb) AS new (row integer, oid text, id text, kind text, target boolean,
       elsewhere boolean, prints bigint[], statement jsonb)
     LEFT JOIN record r ON r.repository = $1 AND r.row = new.row
     ON CONFLICT (repository, oid) DO UPDATE SET target = excluded.target, elsewhere = excluded.elsewhere`,
    [number, jsonFor(standing)],
  );
  const were = new Set(before.filter(({ target }) => target).map(({ oid }) => oid));
  const changed = [...new Set([...were, ...now])].filter((oid) => were.has(oid) !== now.has(oid));
  if (changed.length > 0) {
    await query(
      `UPDATE repository SET memory = '', ${DUE_NOW} WHERE number <> $1 AND number IN (
         SELECT repository FROM record WHERE oid = ANY ($2) UNION SELECT repository FROM withheld WHERE oid = ANY ($2))`,
      [number, changed],
    );
  }
  // The text of records that are shown again has to be read from git.
  const here = new Set(records.map(({ oid }) => oid));
  return { blobs, isLifted: over.some((oid) => here.has(oid)) };
}

/** The prints of redacted records, and the blobs of rows that share one. */
async function repeated(query: Query, number: number, targets: KnownRecord[]) {
  const prints = new Set(targets.flatMap((one) => one.prints));
  if (targets.length === 0) return { prints, repeating: prints };
  const stored = await query<{ prints: string[] }>(
    'SELECT prints::text[] AS prints FROM record WHERE repository = $1 AND row = ANY ($2)',
    [number, targets.flatMap(({ row }) => row ?? [])],
  );
  for (const one of stored) for (const print of one.prints) prints.add(print);
  const sql = 'SELECT oid FROM record WHERE repository = $1 AND prints && $2::text[]::bigint[]';
  const rows = await query<{ oid: string }>(sql, [number, [...prints]]);
  return { prints, repeating: new Set(rows.map(({ oid }) => oid)) };
}

async function redactedElsewhere(query: Query, number: number, content: KnownRecord[]): Promise<string[]> {
  const found = await query<{ oid: string }>(
    `SELECT DISTINCT w.oid FROM withheld w WHERE w.target AND w.repository <> $1 AND (w.oid = ANY ($2)
       OR EXISTS (SELECT FROM record r WHERE r.oid = w.oid AND r.repository = $1))`,
    [number, content.filter(({ row }) => row === null).map(({ oid }) => oid)],
  );
  return found.map(({ oid }) => oid);
}
