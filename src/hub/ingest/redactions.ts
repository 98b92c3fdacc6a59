import { createHmac, randomBytes } from 'node:crypto';
import { activeMarks } from '../../memory/marks.ts';
import type { Mark, MemoryRecord } from '../../memory/record.ts';
import { hashOf, isSalt, passagesOf, searchableAmong } from '../../memory/redaction.ts';
import { tokenize } from '../../recall/index/tokens.ts';
import type { Query } from '../database/database.ts';
import { removeRows } from './rows.ts';

/** A redacted passage: whose mark, the passage itself for as long as the purge takes, and its print. */
export interface RedactedPassage {
  mark: string;
  passage: string;
  /** The tokens of the record that held it, with which copies are found. */
  words: string[];
  print: string;
}

/** The key of the prints: what is redacted must not be guessed from a copy of one table. */
export async function printKey(query: Query): Promise<string> {
  await query("INSERT INTO setting (name, value) VALUES ('print-key', $1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString('hex'),
  ]);
  const [setting] = await query<{ value: string }>("SELECT value FROM setting WHERE name = 'print-key'");
  return setting?.value ?? '';
}

/** The prints of a record's passages that are long enough to be recognised elsewhere. */
export function printsOf(record: MemoryRecord, key: string): string[] {
  return searchableAmong(passagesOf(record)).map((passage) => print(passage, key));
}

function print(passage: string, key: string): string {
  return createHmac('sha256', key).update(passage).digest('base64').slice(0, 20);
}

/** The passages of a redacted record that its mark redacts. */
export function redactedPassages(target: MemoryRecord, marks: Mark[], key: string): RedactedPassage[] {
  const words = [...new Set(wordsOf(target))];
  return activeMarks(marks).flatMap(({ id: mark, type, targets, hashed_with: salt, hashes = [] }) => {
    if (type !== 'redact' || !targets.includes(target.id) || salt === undefined || !isSalt(salt)) return [];
    const known = new Set(hashes);
    return searchableAmong(passagesOf(target))
      .filter((passage) => known.has(hashOf(passage, salt)))
      .map((passage) => ({ mark, passage, words, print: print(passage, key) }));
  });
}

function wordsOf(record: MemoryRecord): string[] {
  if (record.kind === 'observation') return tokenize([record.title, record.narrative, ...record.facts].join('\n'));
  return record.kind === 'summary' ? tokenize([record.title, record.request, record.learned].join('\n')) : [];
}

/** Words of a redacted record by which copies are looked for, the rarest: a copy of a sentence has some of them. */
const WORDS = 12;

/**
 * Removes from all other repositories the records that repeat a redacted passage. They are found by the rarest words of the
 * redacted record, and each is compared by its passages.
 */
export async function purgeElsewhere(
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
    await query('UPDATE repository SET withheld = withheld + $2, version = version + 1 WHERE number = $1', [
      other,
      rows.size,
    ]);
  }
}

/** Lets the repositories that lack records for a redaction that was undone be read again from the beginning. */
export async function readWithheldAgain(query: Query): Promise<void> {
  await query("UPDATE repository SET head = '', memory = '', withheld = 0, wanted_at = now() WHERE withheld > 0");
}
