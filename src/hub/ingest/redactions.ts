import { createHmac, randomBytes } from 'node:crypto';
import { activeMarks } from '../../memory/marks.ts';
import type { Mark, MemoryRecord } from '../../memory/record.ts';
import { hashOf, isSalt, passagesOf, searchableAmong } from '../../memory/redaction.ts';
import { redactionsOf } from '../../provenance/redactions.ts';
import { tokenize } from '../../recall/index/tokens.ts';
import type { Query } from '../database/database.ts';
import type { Parsed } from './parsed.ts';
import { removeRows } from './rows.ts';

interface KnownRow {
  row: number;
  id: string;
  kind: string;
}

/** A redacted passage: whose mark, and its print, by which it is recognised in other repositories. */
interface RedactedPassage {
  mark: string;
  print: string;
  /** The tokens of the record that held it, with which copies are found. */
  words: string[];
}

/** Words of a redacted record by which copies are looked for, the rarest: a copy of a sentence has some of them. */
const WORDS = 12;

/** What redactions leave of the new records, and the ids of redacted ones. */
export async function redact(
  query: Query,
  number: number,
  { kept, gone, added }: { kept: KnownRow[]; gone: KnownRow[]; added: Parsed[] },
): Promise<{ ids: Set<string>; admitted: Parsed[]; withheld: number }> {
  const recordsAt = async (rows: KnownRow[]) => {
    if (rows.length === 0) return [];
    const sql = 'SELECT record FROM record WHERE repository = $1 AND row = ANY ($2)';
    const found = await query<{ record: MemoryRecord }>(sql, [number, rows.map(({ row }) => row)]);
    return found.map(({ record }) => record);
  };
  const records = added.map(({ record }) => record);
  const marks = [...(await recordsAt(kept.filter(({ kind }) => kind === 'mark'))), ...records].filter(isMark);
  const own = redactionsOf(marks);
  const key = await printKey(query);
  const isTarget = ({ id }: { id: string }) => own.ids.has(id);
  const targets = [...(await recordsAt([...kept, ...gone].filter(isTarget))), ...records.filter(isTarget)];
  const active = activeMarks(marks).filter(({ type }) => type === 'redact');
  const passages = targets.flatMap((target) => redactedPassages(target, active, key));
  await keepPrints(query, number, { passages, active });
  await purgeElsewhere(query, number, { passages, key });
  const foreign = await foreignPrints(query, number, records, key);
  const ownFree = added.filter(({ record }) => !isTarget(record) && own.against(record) === undefined);
  const isForeign = ({ record }: Parsed) => foreign.size > 0 && printsOf(record, key).some((one) => foreign.has(one));
  const admitted = ownFree.filter((one) => !isForeign(one));
  return { ids: own.ids, admitted, withheld: ownFree.length - admitted.length };
}

function isMark(record: MemoryRecord): record is Mark {
  return record.kind === 'mark';
}

/** The key of the prints: what is redacted must not be guessed from a copy of one table. */
async function printKey(query: Query): Promise<string> {
  await query("INSERT INTO setting (name, value) VALUES ('print-key', $1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString('hex'),
  ]);
  const [setting] = await query<{ value: string }>("SELECT value FROM setting WHERE name = 'print-key'");
  return setting?.value ?? '';
}

/** The prints of a record's passages that are long enough to be recognised elsewhere. */
function printsOf(record: MemoryRecord, key: string): string[] {
  return searchableAmong(passagesOf(record)).map((passage) => print(passage, key));
}

/** 120 bits: no two passages share them. */
function print(passage: string, key: string): string {
  return createHmac('sha256', key).update(passage).digest('base64').slice(0, 20);
}

function redactedPassages(target: MemoryRecord, active: Mark[], key: string): RedactedPassage[] {
  const words = [...new Set(wordsOf(target))];
  const passages = searchableAmong(passagesOf(target));
  return active.flatMap(({ id: mark, targets, hashed_with: salt, hashes = [] }) => {
    if (!targets.includes(target.id) || salt === undefined || !isSalt(salt)) return [];
    const redacted = passages.filter((passage) => hashes.includes(hashOf(passage, salt)));
    return redacted.map((passage) => ({ mark, words, print: print(passage, key) }));
  });
}

function wordsOf(record: MemoryRecord): string[] {
  if (record.kind === 'observation') return tokenize([record.title, record.narrative, ...record.facts].join('\n'));
  return record.kind === 'summary' ? tokenize([record.title, record.request, record.learned].join('\n')) : [];
}

/**
 * Keeps the prints of what this repository redacts. Where a mark is lifted, the repositories that lack records for a
 * redaction are read again from the beginning.
 */
async function keepPrints(
  query: Query,
  number: number,
  { passages, active }: { passages: RedactedPassage[]; active: Mark[] },
): Promise<void> {
  const sql = 'DELETE FROM redaction WHERE repository = $1 AND mark <> ALL ($2) RETURNING mark';
  const lifted = await query(sql, [number, active.map(({ id }) => id)]);
  if (lifted.length > 0) {
    await query("UPDATE repository SET head = '', memory = '', withheld = 0, wanted_at = now() WHERE withheld > 0");
  }
  if (passages.length === 0) return;
  await query(
    `INSERT INTO redaction (repository, mark, print) SELECT $1, mark, print FROM unnest($2::text[], $3::text[]) new (mark, print)
     ON CONFLICT DO NOTHING`,
    [number, passages.map(({ mark }) => mark), passages.map(({ print }) => print)],
  );
}

/**
 * Removes from all other repositories the records that repeat a redacted passage. They are found by the rarest words of the
 * redacted record, and each is compared by its passages.
 */
async function purgeElsewhere(
  query: Query,
  repository: number,
  { passages, key }: { passages: RedactedPassage[]; key: string },
): Promise<void> {
  const prints = new Set(passages.map((one) => one.print));
  const lists = new Set(passages.map(({ words }) => words));
  const doomed = new Map<number, Set<number>>();
  for (const words of lists) {
    const found = await query<{ repository: number; row: number; record: MemoryRecord }>(
      `WITH rarest AS (
         SELECT key FROM posting WHERE key = ANY ($2) GROUP BY key ORDER BY sum(cardinality(rows)) LIMIT ${WORDS}
       )
       SELECT DISTINCT r.repository, r.row, r.record FROM rarest
       JOIN posting p ON p.key = rarest.key AND p.repository <> $1 CROSS JOIN LATERAL unnest(p.rows) place
       JOIN record r ON r.repository = p.repository AND r.row = place`,
      [repository, words],
    );
    for (const one of found) {
      if (!printsOf(one.record, key).some((print) => prints.has(print))) continue;
      doomed.set(one.repository, (doomed.get(one.repository) ?? new Set()).add(one.row));
    }
  }
  for (const [other, rows] of doomed) {
    await removeRows(query, other, [...rows]);
    const sql = 'UPDATE repository SET withheld = withheld + $2, version = version + 1 WHERE number = $1';
    await query(sql, [other, rows.size]);
  }
}

async function foreignPrints(query: Query, number: number, records: MemoryRecord[], key: string): Promise<Set<string>> {
  const [any] = await query('SELECT 1 AS one FROM redaction WHERE repository <> $1 LIMIT 1', [number]);
  if (any === undefined || records.length === 0) return new Set();
  const prints = [...new Set(records.flatMap((record) => printsOf(record, key)))];
  const sql = 'SELECT DISTINCT print FROM redaction WHERE repository <> $1 AND print = ANY ($2)';
  return new Set((await query<{ print: string }>(sql, [number, prints])).map(({ print }) => print));
}
