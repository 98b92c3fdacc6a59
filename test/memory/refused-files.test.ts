import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitMemError } from '../../src/errors.ts';
import { decode } from '../../src/memory/codec.ts';
import { outlineReader } from '../../src/memory/outline.ts';
import { scratchFolder } from '../support/scratch.ts';

const PATH = 'observations/2026-11/20261120T200501Z-words-k3v9x2qd7m.md';

describe('front matter in another language', () => {
  it.each(['---js', '---javascript', '--- js', '---json', '---coffee', '---yaml', '--- ', '----'])(
    'is refused, and never executed, after %j',
    (fence) => {
      const marker = join(scratchFolder(), 'ran');
      const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`;
      const text = `${fence}\n{ id: (globalThis.ran = true, ${code}), "title": "x" }\n---\n\nBody.\n`;
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(problemOf(text)).toMatchObject({ code: 'bad-record' });
        expect(problemOf(text.replace('---\n\nBody', `${fence}\n\nBody`))).toMatchObject({ code: 'bad-record' });
      }
      expect(existsSync(marker)).toBe(false);
      expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
    },
  );

  it('is also refused as a YAML tag', () => {
    const error = problemOf('---\ntitle: !!js/function "function () { globalThis.ran = true }"\n---\n');
    expect(error).toMatchObject({ code: 'bad-record' });
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  });
});

describe('a file that is not a record', () => {
  const id = 'id: "k3v9x2qd7m"\n';
  it.each([
    [
      'no front matter',
      '# Notes\n\nText.',
      /it starts with "# Notes"; expected a first line of exactly "---"/,
      /---\nid: "k3v9x2qd7m"/,
    ],
    ['an empty file', '', /it starts with ""/, /---\nid:/],
    [
      'no end of the front matter',
      `---\n${id}title: "half writ`,
      /its front matter does not end; expected a second line of exactly "---"/,
      /---\nid:/,
    ],
    ['an end that is none', `---\n${id}--- x\n`, /its front matter does not end/, /---\nid:/],
    [
      'conflict markers',
      `---\n<<<<<<< ours\n${id}=======\n>>>>>>> theirs\n---\n`,
      /expected YAML between two "---" lines/,
      /---\nid:/,
    ],
    ['broken YAML', `---\n${id}title: "a\nb: [\n---\n`, /expected YAML between two "---" lines/, /---\nid:/],
    ['a key twice', `---\n${id}title: a\ntitle: b\n---\n`, /expected YAML/, /---\nid:/],
    ['a list', '---\n- a\n- b\n---\n', /not a list of "key: value" lines/, /---\nid:/],
    ['an alias', `---\n${id}a: &x [1]\nb: *x\n---\n`, /expected YAML/, /---\nid:/],
    ['a bad id', '---\nid: "K3"\n---\n', /"id" is "K3"; expected ten characters/, /`id: "k3v9x2qd7m"`/],
    ['no id at all', '---\ntitle: "No id"\n---\n', /"id" is missing; expected ten characters/, /`id: "k3v9x2qd7m"`/],
    [
      'a bad kind',
      `---\n${id}kind: memo\n---\n`,
      /"kind" is "memo"; expected observation, summary, mark, prompt/,
      /`kind: observation`/,
    ],
    [
      'a bad number',
      `---\n${id}prompt_number: third\n---\n`,
      /"prompt_number" is "third"; expected a whole number/,
      /`prompt_number: 3`/,
    ],
    [
      'a huge number',
      `---\n${id}prompt_number: 9007199254740992\n---\n`,
      /"prompt_number" is "9007199254740992"/,
      /`prompt_number: 3`/,
    ],
    [
      'a list as a title',
      `---\n${id}title: [a]\n---\n`,
      /"title" is \["a"\]; expected one line of text/,
      /`title: "a few words"`/,
    ],
    [
      'a map as a list',
      `---\n${id}concepts: {a: b}\n---\n`,
      /"concepts" is \{"a":"b"\}; expected a list of texts/,
      /`concepts: \["one", "two"\]`/,
    ],
    ['a list of lists', `---\n${id}concepts: [[a]]\n---\n`, /"concepts" is \[\["a"\]\]/, /`concepts:/],
    [
      'a text as a map',
      `---\n${id}anchors: abc\n---\n`,
      /"anchors" is "abc"; expected a map of texts/,
      /`anchors: \{a: "b"\}`/,
    ],
    [
      'a mark without a type',
      `---\n${id}kind: mark\n---\n`,
      /"type" is missing; expected supersede, retire, pin/,
      /`type: retire`/,
    ],
    [
      'a mark of another type',
      `---\n${id}kind: mark\ntype: hide\n---\n`,
      /"type" is "hide"; expected supersede/,
      /`type: supersede`/,
    ],
    [
      'a mark on nothing',
      `---\n${id}kind: mark\ntype: pin\n---\n`,
      /"targets" is missing; expected at least one id/,
      /`targets: \["k3v9x2qd7m"\]`/,
    ],
    [
      'a supersede mark without its record',
      `---\n${id}kind: mark\ntype: supersede\ntargets: ["k3v9x2qd7m"]\n---\n`,
      /"by" is missing; expected the replacing id/,
      /`by: "7h2c9d4e1f"`/,
    ],
    [
      'a summary of another type',
      `---\n${id}kind: summary\ntype: bugfix\n---\n`,
      /"type" is "bugfix"; expected summary/,
      /`type: summary`/,
    ],
  ])('gives the place, the value, what was expected and an example: %s', (_, text, message, hint) => {
    const path = /"K3"|"No id"/.test(text) ? 'observations/2026-11/notes.md' : PATH;
    const first = problemOf(text, path);
    expect(first.code).toBe('bad-record');
    expect(first.message).toContain(path);
    expect(first.message).toMatch(message);
    expect(first.hint).toMatch(hint);
    // gray-matter's cache would hand out an empty object the second time.
    expect(problemOf(text, path).message).toBe(first.message);
  });
});

describe('a hostile file', () => {
  const levels = Array.from({ length: 30 }, (_, i) => `l${i}: &l${i} [${i ? `*l${i - 1}, *l${i - 1}` : 'x'}]`).join(
    '\n',
  );
  it.each([
    ['a bomb of aliases', `---\n${levels}\n---\n`],
    ['deep nesting', `---\na: ${'['.repeat(60_000)}\n---\n`],
    ['endless blank lines', `---\n${'\n'.repeat(500_000)}x: y\n---\n`],
    ['endless carriage returns', `---\n${'\r'.repeat(60_000)}x: y\n---\n`],
    ['endless lines of blanks', `---\n${`${' '.repeat(99)}\u2028`.repeat(600)}x: y\n---\n`],
    ['a giant key', `---\n${'k'.repeat(900_000)}: y\n---\n`],
    ['a giant file', `---\nid: "k3v9x2qd7m"\n---\n${'x'.repeat(1_000_000)}`],
  ])('is refused without being processed: %s', (_, text) => {
    expect(problemOf(text)).toMatchObject({ code: 'bad-record' });
  });

  // Each of these kept a session start busy for minutes or hours when trimming was done by regular expressions.
  it.each([
    ['blanks in a line', `x${' '.repeat(900_000)}y`],
    ['blank lines', `x${'\n'.repeat(900_000)}y`],
    ['lines of blanks', `x${' \n'.repeat(450_000)}y`],
    ['hashes', `${'#'.repeat(900_000)}x`],
    ['backslashes', `${'\\'.repeat(900_000)}x`],
    ['nested lists', '1. '.repeat(300_000)],
    ['emphasis', '*_'.repeat(400_000)],
    ['a heading of blanks', `# a${' '.repeat(9000)}b\n\n${'# '.repeat(400)}`],
  ])('is read anyway: a body of %s', (_, body) => {
    for (const kind of ['observation', 'summary']) {
      const record = decode(`---\nid: "k3v9x2qd7m"\nkind: ${kind}\n---\n\n${body}\n`, PATH, outlineReader);
      expect(JSON.stringify(record).length).toBeGreaterThan(100);
    }
  });
});

function problemOf(text: string, path = PATH): GitMemError {
  try {
    decode(text, path, outlineReader);
  } catch (error) {
    if (error instanceof GitMemError) return error;
    throw error;
  }
  throw new Error(`${text.slice(0, 80)} was taken for a record.`);
}
