import { hash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { GitMemError } from '../../errors.ts';
import type { TreeFile } from '../../git/objects.ts';
import { cardOf, decodeLazily, documentOf } from '../../index/document.ts';
import { spellingOf } from '../../index/embed/local.ts';
import type { Card } from '../../index/memory-index.ts';
import { FOLDERS, isMonth } from '../../memory/file-name.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { passagesOf, searchableAmong } from '../../memory/redaction.ts';
import type { HubLimits } from '../config.ts';
import type { Query } from '../database/database.ts';
import type { Mirror, Syncing } from './mirror.ts';

/** A record as the database holds it, without repository-specific fields. */
export interface Parsed {
  oid: string;
  record: MemoryRecord;
  card: Card;
  terms: string[];
  lengths: number[];
  spelling: string;
  bytes: number;
  /** From `printsOf`. */
  prints: string[];
}

const TEAM_FOLDERS = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark];

/** The paths of records, by their blobs. */
export type Files = Map<string, string>;

/** The record files in a tree, by their blobs: the same content twice is one record. */
export function recordFiles(files: readonly TreeFile[]): Files {
  const found: Files = new Map();
  for (const { path, blob } of files) {
    const [top, kind = '', month = '', name = '', more] = path.split('/');
    const isRecord = top === '.memory' && TEAM_FOLDERS.includes(kind) && isMonth(month) && name.endsWith('.md');
    if (isRecord && more === undefined && !found.has(blob)) found.set(blob, path);
  }
  return found;
}

/**
 * The records of files, fetched in one request. Blobs that another repository has are not parsed again, but this remote
 * still has to provide them: a tree may name a blob that its repository lacks, and whose record its readers must not see.
 * Files that do not parse are left out, as everywhere. Throws too-large.
 */
export async function parseFiles(
  files: Files,
  mirror: Mirror,
  { query, ...parsing }: Parsing & { query: Query },
): Promise<Parsed[]> {
  if (files.size === 0) return [];
  const contents = await mirror.contentsOf([...files.keys()], parsing.limits);
  const known = await query<Omit<Parsed, 'card'>>(
    `SELECT DISTINCT ON (oid) oid, record, terms, lengths, spelling, bytes, prints::text[] AS prints FROM record
     WHERE oid = ANY ($1)`,
    [[...contents.keys()]],
  );
  for (const { oid } of known) contents.delete(oid);
  const withCards = known.map((one) => ({ ...one, card: cardOf(one.record) }));
  return [...withCards, ...(await parseContents(contents, files, parsing))];
}

interface Parsing extends Syncing {
  limits: HubLimits;
  /** The key of the prints. */
  key: string;
}

async function parseContents(
  contents: ReadonlyMap<string, Buffer>,
  files: Files,
  { key, signal }: Parsing,
): Promise<Parsed[]> {
  const parsed: Parsed[] = [];
  for (const [oid, content] of contents) {
    // Signals are handled between records; the largest take seconds.
    await setImmediate();
    signal.throwIfAborted();
    try {
      const record = await decodeLazily(content.toString('utf8'), files.get(oid) ?? '');
      const { card, terms } = documentOf(record, oid);
      const lengths = terms.map((stream) => stream.split(' ').length - Number(stream === ''));
      const spelling = Buffer.from(spellingOf(terms)).toString('base64');
      const [bytes, prints] = [content.length, printsOf(record, key)];
      parsed.push({ oid, record, card, terms, lengths, spelling, bytes, prints });
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error; // `git mem check` reports it, in its own repository.
    }
  }
  return parsed;
}

/**
 * Keyed 64-bit hashes of a record's sentences and longer passages. Equal sentences have equal hashes, and without the key a
 * copy of the table does not tell what was redacted.
 */
function printsOf(record: MemoryRecord, key: string): string[] {
  return searchableAmong(passagesOf(record)).map((passage) =>
    hash('sha256', key + passage, 'buffer')
      .readBigInt64BE()
      .toString(),
  );
}

/** The key of the prints, created by the first sync. */
export async function printKey(query: Query): Promise<string> {
  await query("INSERT INTO setting (name, value) VALUES ('print-key', $1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString('hex'),
  ]);
  const [setting] = await query<{ value: string }>("SELECT value FROM setting WHERE name = 'print-key'");
  return setting?.value ?? '';
}
