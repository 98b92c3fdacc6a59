import { createHash } from 'node:crypto';
import { GitMemError } from '../errors.ts';
import type { Observation } from './record.ts';

/** Ten characters of 5 bits: two of 100,000 records share an id with a probability of 1 in 200,000. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 10;

/** Up to this many bytes are hashed without Node's crypto module: a path or a session, for which hooks load nothing. */
const MOST_BY_HAND = 512;

/** Whether text has the shape of a record id: ten characters of lower-case Crockford base32. */
export function isId(text: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(text);
}

/** The id of these parts: the first 50 bits of their SHA-256, in base32. */
export function idOf(...parts: string[]): string {
  const bytes = Buffer.from(parts.join('\0'));
  const digest = bytes.length > MOST_BY_HAND ? createHash('sha256').update(bytes).digest() : sha256(bytes);
  let id = '';
  for (let i = 0, bits = 0, have = 0; id.length < LENGTH; i++) {
    bits = (bits << 8) | (digest[i] ?? 0);
    for (have += 8; have >= 5 && id.length < LENGTH; have -= 5) id += ALPHABET[(bits >> (have - 5)) & 31];
    bits &= (1 << have) - 1;
  }
  return id;
}

/**
 * The id of an observation's content, whenever and wherever it was written: two branches that save the same finding
 * give it the same id, and their files are one record.
 */
export function contentId(observation: Observation): string {
  const { type, title, subtitle, narrative, facts, concepts, files_modified, supersedes } = observation;
  return idOf(JSON.stringify([type, title, subtitle, narrative, facts, concepts, files_modified, supersedes]));
}

/** The id that git gives a file with this content, without filters, in the repository's object format. */
export function blobId(content: string | Uint8Array, format: 'sha1' | 'sha256' = 'sha1'): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Why no record was found by this prefix; without the full stop. */
export function noneStartsWith(prefix: string): string {
  return prefix.length < 4
    ? `"${prefix}" is too short: give at least four characters of an id`
    : `No record has an id that starts with "${prefix}"`;
}

/** The one id of `ids` that starts with `prefix`; throws no-such-record or ambiguous-id. */
export function resolveId(prefix: string, ids: Iterable<string>): string {
  const wanted = prefix.toLowerCase();
  const found = new Set<string>();
  if (wanted.length >= 4) for (const id of ids) if (id.startsWith(wanted)) found.add(id);
  const [first, ...others] = found;
  if (first === undefined) {
    throw new GitMemError('no-such-record', `${noneStartsWith(prefix)}.`, {
      hint: 'Ids have ten characters, four are enough: `git mem list` shows them.',
    });
  }
  if (others.length > 0) {
    const some = [first, ...others].slice(0, 5).join(', ');
    throw new GitMemError('ambiguous-id', `"${prefix}" names ${others.length + 1} records: ${some}.`, {
      hint: 'Give one more character.',
    });
  }
  return first;
}

/** For each id the shortest prefix, of four characters or more, that no other id shares. */
export function shortestPrefixes(ids: Iterable<string>): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  const shared = (a: string, b: string | undefined) => {
    let n = 0;
    while (b !== undefined && n < a.length && a[n] === b[n]) n++;
    return n;
  };
  return new Map(
    sorted.map((id, i) => {
      const length = Math.max(3, shared(id, sorted[i - 1]), shared(id, sorted[i + 1])) + 1;
      return [id, id.slice(0, length)];
    }),
  );
}

/** An id's first four characters. Prefixes have at least four, so only ids that share these can be confused. */
export function startOf(id: string): string {
  return id.slice(0, 4);
}

// For texts of a few hundred characters only: loading Node's crypto module takes a seventh of Node's start.

const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** The SHA-256 of some bytes (FIPS 180-4). */
function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, bytes.length << 3);
  const hash = Int32Array.from(INITIAL);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = padded.getInt32(block + i * 4);
    compress(hash, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => {
    digest.setInt32(i * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

function compress(hash: Int32Array, words: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] ?? 0;
    const late = words[i - 2] ?? 0;
    const mixed =
      (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) + (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    words[i] = (words[i - 16] ?? 0) + (words[i - 7] ?? 0) + mixed;
  }
  rounds ??= roundConstants();
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const chosen = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + chosen + (rounds[i] ?? 0) + (words[i] ?? 0)) | 0;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    hash[i] = (hash[i] ?? 0) + word;
  });
}

let rounds: Int32Array | undefined;

/** Rotated to the right. */
function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function roundConstants(): Int32Array {
  const constants = new Int32Array(64);
  for (let number = 2, found = 0; found < 64; number++) {
    if (isPrime(number)) constants[found++] = Math.trunc((Math.cbrt(number) % 1) * 2 ** 32);
  }
  return constants;
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
}
