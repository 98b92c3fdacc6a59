import { createHmac, randomBytes } from 'node:crypto';
import type { MemoryRecord } from '../../memory/record.ts';
import { passagesOf, searchableAmong } from '../../memory/redaction.ts';
import type { Query } from '../database/database.ts';

/**
 * Keyed hashes of a record's sentences and longer passages, of 64 bits: equal sentences have equal ones, and without the
 * key nobody can tell from a copy of the table what was redacted.
 */
export function printsOf(record: MemoryRecord, key: string): string[] {
  return searchableAmong(passagesOf(record)).map((passage) =>
    createHmac('sha256', key).update(passage).digest().readBigInt64BE().toString(),
  );
}

/** The key of the prints, which the first sync makes. */
export async function printKey(query: Query): Promise<string> {
  await query("INSERT INTO setting (name, value) VALUES ('print-key', $1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString('hex'),
  ]);
  const [setting] = await query<{ value: string }>("SELECT value FROM setting WHERE name = 'print-key'");
  return setting?.value ?? '';
}
