import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/memory/canonical.ts';
import { decode, encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { outlineReader } from '../../src/memory/outline.ts';
import { KINDS, type Observation } from '../../src/memory/record.ts';
import { anyRecord } from '../support/any-record.ts';
import { runs } from '../support/trials.ts';
import { observationOf } from '../support/written-records.ts';

const PATH = 'observations/2026-11/20261120T200501Z-words-k3v9x2qd7m.md';
const RUNS = runs(250);

describe.each(KINDS)('a %s of any Unicode', (kind) => {
  it('decodes to the same value after encoding', () => {
    fc.assert(
      fc.property(anyRecord[kind], (record) => {
        const clean = canonical(record);
        deepStrictEqual(decode(encode(clean), storePath(clean)), clean);
      }),
      RUNS,
    );
  });

  it('is canonical after one canonicalisation', () => {
    fc.assert(
      fc.property(anyRecord[kind], (record) => {
        const clean = canonical(record);
        deepStrictEqual(canonical(clean), clean);
      }),
      RUNS,
    );
  });

  it('gives the same bytes when read and written again', () => {
    fc.assert(
      fc.property(anyRecord[kind], (record) => {
        const text = encode(canonical(record));
        expect(encode(decode(text, PATH, outlineReader))).toBe(text);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/\r|[^\S\n]$/m);
      }),
      RUNS,
    );
  });

  it('survives a checkout with Windows line ends and a byte order mark', () => {
    fc.assert(
      fc.property(anyRecord[kind], (record) => {
        const clean = canonical(record);
        deepStrictEqual(decode(`\ufeff${encode(clean).replaceAll('\n', '\r\n')}`, PATH), clean);
      }),
      runs(100),
    );
  });
});

describe('the file of an observation', () => {
  it('has a fixed key order, quotes what YAML could misread, and leaves out what is empty', () => {
    const text = encode(
      canonical({
        narrative: 'It was the clock.\n# not a heading',
        facts: ['iat lay 4 s ahead.', 'two\nlines'],
        files_modified: ['src/auth.ts'],
        files_read: [],
        concepts: ['auth', 'no'],
        supersedes: [],
        subtitle: ' ',
        anchors: { 'src/auth.ts': '9fceb02d' },
        kind: 'observation',
        id: 'k3v9x2qd7m',
        type: 'bugfix',
        title: 'JWT rejected: "iat"',
        prompt_number: 3,
        commit: '12e4567',
        branch: 'on',
        extra: { 'my key': ['x'] },
        generated: { by: 'claude-code/2.1.329', at: '2026-11-20T20:05:01Z' },
      }),
    );
    expect(text).toBe(`---
id: "k3v9x2qd7m"
kind: observation
type: bugfix
title: "JWT rejected: \\"iat\\""
concepts: ["auth", "no"]
files_modified: ["src/auth.ts"]
anchors: {"src/auth.ts": "9fceb02d"}
prompt_number: 3
branch: "on"
commit: "12e4567"
generated: {by: "claude-code/2.1.329", at: "2026-11-20T20:05:01Z"}
"my key": ["x"]
---

It was the clock.
\\# not a heading

## Facts

- iat lay 4 s ahead.
- two
  lines
`);
  });

  it('gets a title from its narrative, or else from its id', () => {
    const bare = { ...observation(), title: ' ' };
    expect(canonical({ ...bare, narrative: '\nFirst line.\nSecond.' }).title).toBe('First line.');
    expect(canonical({ ...bare, narrative: '' }).title).toBe('k3v9x2qd7m');
    expect(canonical({ ...bare, narrative: `${'x'.repeat(119)}😀` }).title.isWellFormed()).toBe(true);
  });
});

describe('reading', () => {
  it('takes every scalar as its literal text', () => {
    const record = read(
      'title: 12e4567\nsubtitle: 12:30:45\ncommit: 0123456\nbranch: null\nsession: 2026-11-20\nconcepts: [yes, 1.0]',
    );
    expect(record).toMatchObject({ title: '12e4567', subtitle: '12:30:45', commit: '0123456', branch: 'null' });
    expect(record).toMatchObject({ session: '2026-11-20', concepts: ['yes', '1.0'] });
  });

  it('takes id and time from the file name where the front matter lacks them', () => {
    const record = decode('---\ntitle: A\n---\n', PATH);
    expect(record).toMatchObject({ id: 'k3v9x2qd7m', kind: 'observation', type: 'change' });
    expect(record.generated).toEqual({ by: 'unknown', at: '2026-11-20T20:05:01Z' });
  });

  it('keeps an unknown observation type, so that a store with more types stays readable', () => {
    expect(read('type: incident')).toMatchObject({ kind: 'observation', type: 'incident' });
  });

  it('keeps unknown keys, including nested ones', () => {
    const record = read('reviewers: [ann, bob]\nnote: {a: {b: c}}\nmaturity: "3"');
    expect(record.extra).toEqual({ reviewers: ['ann', 'bob'], note: { a: { b: 'c' } }, maturity: '3' });
    expect(encode(record)).toContain('note: {"a": {"b": "c"}}\n');
  });

  it('lets no key reach a prototype', () => {
    const record = read(
      '__proto__: {polluted: "yes"}\nnote: {__proto__: {polluted: "yes"}, constructor: x}\nanchors: {__proto__: x}',
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(JSON.stringify(record)).not.toContain('polluted');
    expect(record.extra).toEqual({ note: { constructor: 'x' } });
    expect(Object.getPrototypeOf(record.extra)).toBe(Object.prototype);
  });

  it('takes a single text as a list of one', () => {
    expect(read('concepts: auth')).toMatchObject({ concepts: ['auth'] });
  });
});

function observation(): Observation {
  return observationOf({ id: 'k3v9x2qd7m' });
}

function read(lines: string) {
  return decode(`---\n${lines}\n---\n`, PATH);
}
