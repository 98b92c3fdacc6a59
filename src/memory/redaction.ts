import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { emptySummary, sectionsOf } from './body.ts';
import type { MemoryRecord } from './record.ts';

/**
 * How a redact mark recognises text that may not be captured again, without containing it. The mark holds salted hashes
 * of the redacted record's passages: the title, the subtitle, the narrative or each section as a whole, each fact, each
 * sentence of these, and the record as a whole. A record that shares one passage counts as a repetition, however much
 * else differs.
 *
 * A passage is compared by its letters and digits alone, so that case, white space and punctuation make no difference.
 * A passage of less than twenty bytes (of UTF-8, so that seven Chinese characters are as much as twenty Latin letters)
 * says too little: `Tests pass.` would keep half of all records out. A shorter record is recognised only as a whole.
 *
 * A person's record is refused as a whole. The drain leaves out single facts, and a record whose title, subtitle or
 * narrative matches: sentences that an extractor writes about every test run would otherwise keep out all later
 * records.
 *
 * In the front matter the salt is `hashed_with`: secret scanners, ours included, look for a key named salt.
 *
 * The hash is slow, which makes guessing expensive, not impossible: a secret that was recorded has to be changed.
 */
const LEAST_BYTES = 20;

/**
 * A fraction of a millisecond per guess: a balance between what guessing should cost and what every capture pays, for
 * each passage and mark. The hashes have 80 bits, so that no passage matches another by chance.
 */
const ROUNDS = 1000;
const HASH_BYTES = 10;

/** A record without its content: what is shown of a redacted one, even when asked for by its id. */
export function withheld<R extends MemoryRecord>(record: R): R;
export function withheld(record: MemoryRecord): MemoryRecord {
  switch (record.kind) {
    case 'observation': {
      const { subtitle: _, ...rest } = record;
      const nothing = { facts: [], concepts: [], files_modified: [], files_read: [], anchors: {} };
      return { ...rest, title: WITHHELD, narrative: '', ...nothing };
    }
    case 'summary':
      return { ...record, title: WITHHELD, files_read: [], files_edited: [], ...emptySummary() };
    case 'prompt':
      return { ...record, text: WITHHELD };
    case 'mark':
      return { ...record, reason: WITHHELD };
    default:
      return record satisfies never;
  }
}

/** Stands for the title of a redacted record. */
export const WITHHELD = '(redacted)';

/** The passages of a record in the form that is hashed. */
export function passagesOf(record: MemoryRecord): string[] {
  const texts = textsOf(record);
  const passages = texts.flatMap((text) => [text, ...sentencesOf(text)]).map(bare);
  const whole = bare(texts.join(' '));
  const searchable = passages.filter((passage) => Buffer.byteLength(passage) >= LEAST_BYTES);
  return [...new Set([...searchable, whole])].filter((passage) => passage !== '');
}

/** The passages of any text, in the same form. */
export function passagesIn(text: string): string[] {
  return [...new Set([text, ...sentencesOf(text)].map(bare))].filter((passage) => passage !== '');
}

/** The passages that are long enough to be searched for within others. */
export function searchableAmong(passages: Iterable<string>): string[] {
  return [...passages].filter((passage) => Buffer.byteLength(passage) >= LEAST_BYTES);
}

/**
 * The passages of texts, and the runs of clauses in their sentences: a sentence is found after a lead-in and before an
 * afterthought too.
 */
export function echoesIn(texts: string[]): string[] {
  const runs = texts.flatMap(sentencesOf).flatMap((sentence) => {
    const clauses = sentence.split(CLAUSE).slice(0, MOST_CLAUSES);
    return clauses.flatMap((_, i) => clauses.slice(i).map((_, j) => bare(clauses.slice(i, i + j + 1).join(''))));
  });
  return searchableAmong(new Set([...texts.flatMap(passagesIn), ...runs]));
}

/** Where a clause may begin; the sign or the word stays with the clause before it. */
const CLAUSE = /(?<=[,;:()[\]–—"“”«»]|\s-\s|\b(?:that|because|und|dass)\s)/u;
const MOST_CLAUSES = 7;

/** The passages of a record that contain one of the searchable ones. */
export function passagesHolding(record: MemoryRecord, searchable: string[]): string[] {
  return passagesOf(record).filter((passage) => searchable.some((one) => passage.includes(one)));
}

/**
 * Pieces of a record's sentences that are the same in Markdown, JSON and HTML, to search for in files of any kind: each
 * sentence's longest run without a character that one of them escapes, if it is long enough to be distinctive.
 */
export function fragmentsOf(record: MemoryRecord): string[] {
  const pieces = textsOf(record).flatMap((text) => sentencesOf(text).map(longestPlainRun));
  return searchableAmong(new Set(pieces));
}

function longestPlainRun(sentence: string): string {
  const runs = sentence.split(/["'`\\<>&\t]+/).map((run) => run.trim());
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

/** A new salt, 32 hexadecimal digits. */
export function createSalt(): string {
  return randomBytes(16).toString('hex');
}

/** Whether text has the shape of a salt. */
export function isSalt(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** Whether text has the shape of a passage's hash. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{20}$/.test(text);
}

/** The hash of a passage in a redact mark: 20 hexadecimal digits. */
export function hashOf(passage: string, salt: string): string {
  return pbkdf2Sync(passage, salt, ROUNDS, HASH_BYTES, 'sha256').toString('hex');
}

/** The texts of a record that a person reads. */
export function textsOf(record: MemoryRecord): string[] {
  switch (record.kind) {
    case 'observation':
      return [record.title, record.subtitle ?? '', record.narrative, ...record.facts];
    case 'summary':
      return [record.title, ...Object.values(sectionsOf(record))];
    case 'prompt':
      return [record.text];
    case 'mark':
      return [record.reason];
    default:
      return record satisfies never;
  }
}

/** The sentences of a text, by its lines and, where it is wrapped, across them. */
function sentencesOf(text: string): string[] {
  const split = (one: string) => one.split(/\n|(?<=[.!?…])\s|(?<=[。！？])/u);
  if (!text.includes('\n')) return [...new Set(split(text))];
  const joined = text.replace(/(?<=\S)[ \t]*\n(?!\s*(?:\n|[-*+#>|]\s|\d+[.)]\s))\s*/gu, ' ');
  return [...new Set([text, joined].flatMap(split))];
}

function bare(text: string): string {
  // The same for ASCII, which most text is, without Unicode tables.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
