import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GitMemError } from '../../src/errors.ts';
import { blobId, idOf, isId, resolveId, shortestPrefixes } from '../../src/memory/id.ts';
import { anyId } from '../support/any-record.ts';
import { createRepository } from '../support/repository.ts';
import { runs } from '../support/trials.ts';

/** Base32 over one big number: another way to the first fifty bits. */
function base32(digest: Buffer): string {
  const bits = BigInt(`0x${digest.toString('hex')}`) >> BigInt(256 - 50);
  const digits = Array.from({ length: 10 }, (_, i) => Number((bits >> BigInt(45 - 5 * i)) & 31n));
  return digits.map((digit) => '0123456789abcdefghjkmnpqrstvwxyz'[digit]).join('');
}

describe('an id', () => {
  it('is the first fifty bits of a SHA-256 in Crockford’s base32', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (parts) => {
        const id = idOf(...parts);
        expect(id).toBe(base32(createHash('sha256').update(parts.join('\0')).digest()));
        expect(isId(id)).toBe(true);
      }),
      runs(100),
    );
  });

  const lengths = [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 511, 512, 513, 2000];
  it.each(lengths)('is that of a text of %i bytes, hashed by hand or by Node', (length) => {
    const text = 'a%\x7f'.repeat(length).slice(0, length);
    expect(idOf(text)).toBe(base32(createHash('sha256').update(text).digest()));
  });

  it('never changes: stores contain ids from earlier versions', () => {
    expect(idOf('session', 'UserPromptSubmit 1', '0')).toBe('2gcdtb97qz');
  });

  it.each([
    '',
    'k3v9x2qd7',
    'k3v9x2qd7mm',
    'K3V9X2QD7M',
    'k3v9x2qd7i',
    'k3v9x2qd7l',
    'k3v9x2qd7o',
    'k3v9x2qd7u',
    'k3v9x2qd7m\n',
    '../../../x',
  ])('is not %j', (text) => expect(isId(text)).toBe(false));
});

it.each(['sha1', 'sha256'] as const)('a blob id is git’s own in a %s repository', (format) => {
  const { folder, env } = createRepository();
  execFileSync('git', ['init', '--quiet', `--object-format=${format}`, 'other'], { cwd: folder, env });
  for (const content of [Buffer.from(''), Buffer.from('tea ☕\r\n'), Buffer.from([0, 255, 10, 13])]) {
    const command = ['-C', 'other', 'hash-object', '--no-filters', '--stdin'];
    const expected = execFileSync('git', command, { cwd: folder, env, input: content, encoding: 'utf8' }).trim();
    expect(blobId(content, format)).toBe(expected);
  }
});

describe('naming a record by the start of its id', () => {
  const ids = ['k3v9x2qd7m', 'k3v9x2qd8m', 'k3vzzzzzzz', '7h2c9d4e1f'];
  const codeOf = (prefix: string) => {
    try {
      return resolveId(prefix, ids);
    } catch (error) {
      return error instanceof GitMemError ? error.code : error;
    }
  };

  it.each([
    ['7h2c', '7h2c9d4e1f'],
    ['7H2C9', '7h2c9d4e1f'],
    ['k3v9x2qd8', 'k3v9x2qd8m'],
    ['k3v9x2qd7m', 'k3v9x2qd7m'],
    ['k3v9', 'ambiguous-id'],
    ['k3v9x2qd', 'ambiguous-id'],
    ['7h2', 'no-such-record'],
    ['', 'no-such-record'],
    ['zzzz', 'no-such-record'],
    ['7h2c9d4e1fx', 'no-such-record'],
  ])('resolves %j to %s', (prefix, expected) => expect(codeOf(prefix)).toBe(expected));

  it('tolerates one id that occurs twice', () => {
    expect(resolveId('7h2c', ['7h2c9d4e1f', '7h2c9d4e1f'])).toBe('7h2c9d4e1f');
  });

  it('lists the records that an ambiguous id matches', () => {
    expect(() => resolveId('k3v9', ids)).toThrow('"k3v9" names 2 records: k3v9x2qd7m, k3v9x2qd8m.');
  });
});

describe('the shortest prefixes', () => {
  const similar = fc
    .tuple(fc.constantFrom('', 'k3v9x', 'k3v9x2qd7'), anyId)
    .map(([start, id]) => (start + id).slice(0, 10));

  it('identify their record, and one character less would not or would be below four', () => {
    fc.assert(
      fc.property(fc.uniqueArray(similar, { maxLength: 40 }), (ids) => {
        const prefixes = shortestPrefixes(ids);
        expect([...prefixes.keys()].sort()).toEqual([...ids].sort());
        for (const [id, prefix] of prefixes) {
          expect(resolveId(prefix, ids)).toBe(id);
          const shorter = prefix.slice(0, -1);
          expect(prefix.length === 4 || ids.filter((other) => other.startsWith(shorter)).length > 1).toBe(true);
        }
      }),
      runs(100),
    );
  });
});
