import type { Mark, MemoryRecord } from '../../memory/record.ts';
import { redactionsOf } from '../../provenance/redactions.ts';
import type { Query } from '../database/database.ts';
import type { Parsed } from './parsed.ts';
import {
  printKey,
  printsOf,
  purgeElsewhere,
  type RedactedPassage,
  readWithheldAgain,
  redactedPassages,
} from './redactions.ts';

interface KnownRow {
  row: number;
  id: string;
  kind: string;
}

/** What redactions leave of the new records, and the ids of redacted ones. */
export async function redact(
  query: Query,
  number: number,
  { kept, gone, added }: { kept: KnownRow[]; gone: KnownRow[]; added: Parsed[] },
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
