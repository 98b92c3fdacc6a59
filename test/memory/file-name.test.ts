import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/memory/canonical.ts';
import { decode, encode } from '../../src/memory/codec.ts';
import { parseFileName, parseMarkSlug, soleTarget, storePath, wholeSeconds } from '../../src/memory/file-name.ts';
import { KINDS, type Mark, type Observation } from '../../src/memory/record.ts';
import { anyRecord, anyText } from '../support/any-record.ts';
import { runs } from '../support/trials.ts';
import { markOf, observationOf } from '../support/written-records.ts';

describe.each(KINDS)('the file name of a %s', (kind) => {
  it('is short plain ASCII inside its kind’s folder and month, and contains time and id', () => {
    fc.assert(
      fc.property(anyRecord[kind], (record) => {
        const path = storePath(canonical(record));
        expect(path).toMatch(
          /^(observations|summaries|marks|prompts)\/\d{4}-\d\d\/\d{8}T\d{6}Z-[a-z0-9-]{10,100}\.md$/,
        );
        const name = parseFileName(path);
        expect(name?.id).toBe(record.id);
        expect(name?.time).toBe(wholeSeconds(canonical(record).generated.at));
        expect(path.split('/')[1]).toBe(name?.time.slice(0, 7));
        expect(name?.slug).toMatch(/^$|^[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
      runs(300),
    );
  });
});

describe('the path of a record', () => {
  it('differs for different contents, so that two branches never add one path with two contents', () => {
    const record = observation('JWT rejected');
    const told = [record, { ...record, branch: 'main' }, { ...record, anchors: { 'a.ts': '1'.repeat(40) } }];
    const paths = [...told, { ...record, narrative: 'The clock runs ahead.' }].map(storePath);
    expect(new Set(paths).size).toBe(4);
    for (const path of paths) expect(path).toMatch(/20261120T200501Z-jwt-rejected-[0-9a-z]{4}-k3v9x2qd7m\.md$/);
  });

  it('does not depend on how the record was obtained', () => {
    for (const kind of KINDS) {
      fc.assert(
        fc.property(anyRecord[kind], (record) => {
          const clean = canonical(record);
          expect(storePath(decode(encode(clean), 'x.md'))).toBe(storePath(clean));
        }),
        runs(100),
      );
    }
  });
});

describe('the words in a file name', () => {
  it.each([
    ['JWT rejected when the issuer’s clock runs ahead', 'jwt-rejected-when-the-issuer-s-clock-runs-ahead'],
    ['  `npm ci` -- fails!  ', 'npm-ci-fails'],
    ['Größe über Straße, naïve café', 'gro-e-uber-stra-e-naive-cafe'],
    ['İstanbul ﬁle Ⅳ ①', 'istanbul-file-iv-1'],
    ['../../etc/passwd\\..\\x', 'etc-passwd-x'],
    ['日本語のタイトル', ''],
    ['😀', ''],
    ['a'.repeat(200), 'a'.repeat(60)],
    [`${'word '.repeat(30)}`, `${'word-'.repeat(12)}`.slice(0, -1)],
    ['two 日本 words', 'two-words'],
  ])('of %j are %j', (title, slug) => {
    expect(parseFileName(storePath(observation(title)))?.slug).toBe(slug);
  });

  it('are never cut inside a word, unless there is only one word', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,70}$/), { minLength: 1 }), (words) => {
        const slug = parseFileName(storePath(observation(words.join(' '))))?.slug ?? '';
        const [first = ''] = words;
        expect(slug.length).toBeLessThanOrEqual(60);
        expect(`${words.join('-')}-`.startsWith(`${slug}-`) || slug === first.slice(0, 60)).toBe(true);
      }),
      runs(100),
    );
  });
});

describe('the file name of a mark', () => {
  it('shows its type and first target without being opened', () => {
    const slugOf = (targets: string[]) => parseFileName(storePath(mark(targets)))?.slug ?? '';
    expect(slugOf(['k3v9x2qd7m'])).toBe('retire-k3v9x2qd7m');
    expect(parseMarkSlug(slugOf(['k3v9x2qd7m']))).toEqual({ type: 'retire', target: 'k3v9x2qd7m', more: false });
    expect(parseMarkSlug(slugOf(['k3v9x2qd7m', '7h2c9d4e1f']))).toEqual({
      type: 'retire',
      target: 'k3v9x2qd7m',
      more: true,
    });
  });

  it('cannot lead out of the store, whatever its target says', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constantFrom('../../../../x', '/etc/x', '..\\x', '.')), (target) => {
        expect(storePath(mark([target]))).toMatch(/^marks\/2026-11\/20261120T200501Z-retire-[a-z0-9-]*\.md$/);
      }),
      runs(100),
    );
  });
});

describe('a file name that is not a record’s', () => {
  it.each([
    ...[
      'README.md',
      '20261120T200501Z-k3v9x2qd7m.txt',
      '20261120T200501Z-k3v9x2qd7m.md.orig',
      '20261120T200501-k3v9x2qd7m.md',
    ],
    ...['20261120T200501Zk3v9x2qd7m.md', '20261120T200501Z-words.md', '20261120T200501Z-words-K3V9X2QD7M.md', ''],
    ...['.tmp-20261120T200501Z-k3v9x2qd7m.md', '20261120T200501Z-wordsk3v9x2qd7m.md'],
  ])('is rejected: %j', (name) => expect(parseFileName(name)).toBeUndefined());

  it('is rejected, but a record’s name is accepted under any folder', () => {
    expect(parseFileName('a/b/20261120T200501Z-k3v9x2qd7m.md')).toMatchObject({ id: 'k3v9x2qd7m', slug: '' });
    expect(parseFileName('a\\20261120T200501Z-a-k3v9x2qd7m.md')).toMatchObject({ id: 'k3v9x2qd7m', slug: 'a' });
  });
});

it.each([
  ['2026-11-20T20:05:01.999Z', '2026-11-20T20:05:01Z'],
  ['2026-11-20T20:05:01+02:00', '2026-11-20T18:05:01Z'],
  ['2026-11-20', '2026-11-20T00:00:00Z'],
  ['soon', '1970-01-01T00:00:00Z'],
  ['', '1970-01-01T00:00:00Z'],
  ['+275760-09-13T00:00:00.000Z', '1970-01-01T00:00:00Z'],
  ['-000044-03-15T00:00:00Z', '1970-01-01T00:00:00Z'],
])('a time in whole seconds of %j is %s', (given, expected) => expect(wholeSeconds(given)).toBe(expected));

describe('the only target of a mark', () => {
  const nameOf = (record: Mark) => storePath(record).split('/').at(-1) ?? '';
  const [one, two] = ['k3v9x2qd7m', '7h2c9d4e1f'];

  it('is in its file name', () => {
    expect(soleTarget(nameOf(mark([one])))).toBe(one);
    expect(soleTarget(`20261120T200501Z-retire-${one}-0000000000.md`)).toBe(one);
  });

  it.each([
    ['of several', nameOf(mark([one, two]))],
    ['of a pin', nameOf({ ...mark([one]), type: 'pin' })],
    ['of an undo', nameOf({ ...mark([one]), type: 'undo' })],
    ['of a name that a person gave', '20261120T200501Z-mine-0000000000.md'],
    ['of one that only begins like ours', `20261120T200501Z-retire-${one}-and-more-words-0000000000.md`],
    ['of no mark', 'README.md'],
  ])('is unknown %s', (_, name) => expect(soleTarget(name)).toBeUndefined());
});

function observation(title: string): Observation {
  return observationOf({ id: 'k3v9x2qd7m', title });
}

function mark(targets: string[]): Mark {
  return markOf({ id: '0000000000', type: 'retire', targets, generated: { by: 'cli', at: '2026-11-20T20:05:01Z' } });
}
