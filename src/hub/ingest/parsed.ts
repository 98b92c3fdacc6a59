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

/** A record as the database holds it, but for what its repository says of it. */
export interface Parsed {
  oid: string;
  record: MemoryRecord;
  card: Card;
  terms: string[];
  lengths: number[];
  spelling: string;
  bytes: number;
  /** Of its sentences, `printsOf`. */
  prints: string[];
}

const TEAM_FOLDERS = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark];

/** The paths of records, by their blobs. */
export type Files = Map<string, string>;

/** The records' files in a tree, by their blobs: the same content twice is one record. */
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
 * The records of files, fetched in one request. Blobs that another repository has need not be parsed again, but this
 * remote has to give them: a tree may name a blob that it does not have, and its record is not for its readers. What
 * does not parse is left out, as everywhere. Throws too-large.
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
  /** Of the prints. */
  key: string;
}

async function parseContents(
  contents: ReadonlyMap<string, Buffer>,
  files: Files,
  { key, signal }: Parsing,
): Promise<Parsed[]> {
  const parsed: Parsed[] = [];
  for (const [oid, content] of contents) {
    // Between two of them signals are heard: the largest take seconds.
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
      if (!(error instanceof GitMemError)) throw error; // `git mem check` names it, in its own repository.
    }
  }
  return parsed;
}

/**
 * Keyed hashes of a record's sentences and longer passages, of 64 bits: equal sentences have equal ones, and without the
 * key nobody can tell from a copy of the table what was redacted.
 */
function printsOf(record: MemoryRecord, key: string): string[] {
  return searchableAmong(passagesOf(record)).map((passage) =>
    hash('sha256', key + passage, 'buffer')
      .readBigInt64BE()
      .toString(),
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
