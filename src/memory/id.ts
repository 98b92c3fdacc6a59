import { createHash } from 'node:crypto';
import { GitMemError } from '../errors.ts';
import { sha256 } from './sha256.ts';

/** Ten characters of 5 bits: two of 100,000 records share an id with a probability of 1 in 200,000. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 10;

/** Up to this many bytes are hashed without Node's cryptography: a path or a session, for which hooks load nothing. */
const MOST_BY_HAND = 512;

/** Tells whether text has the shape of a record id: ten characters of lower-case Crockford base32. */
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

/** The id that git gives a file with this content, without filters, in the repository's object format. */
export function blobId(content: string | Uint8Array, format: 'sha1' | 'sha256' = 'sha1'): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The one id of `ids` that starts with `prefix`; throws no-such-record or ambiguous-id. */
export function resolveId(prefix: string, ids: Iterable<string>): string {
  const wanted = prefix.toLowerCase();
  const found = new Set<string>();
  if (wanted.length >= 4) for (const id of ids) if (id.startsWith(wanted)) found.add(id);
  const [first, ...others] = found;
  if (first === undefined) {
    throw new GitMemError('no-such-record', `No record has an id that starts with "${prefix}".`, {
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
