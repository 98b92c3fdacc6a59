import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitMemError } from '../../src/errors.ts';
import { decode } from '../../src/memory/codec.ts';
import { outlineReader } from '../../src/memory/outline.ts';
import { scratchFolder } from '../support/scratch.ts';

const PATH = 'observations/2026-11/20261120T200501Z-words-k3v9x2qd7m.md';

describe('front matter in another language', () => {
  const fences = ['---js', '---javascript', '--- js', '---json', '---coffee', '---yaml', '--- ', '----'];
  it.each(fences)('is refused, and never executed, after %j', (fence) => {
    const marker = join(scratchFolder(), 'ran');
    const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`;
    const text = `${fence}\n{ id: (globalThis.ran = true, ${code}), "title": "x" }\n---\n\nBody.\n`;
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(problemOf(text)).toMatchObject({ code: 'bad-record' });
      expect(problemOf(text.replace('---\n\nBody', `${fence}\n\nBody`))).toMatchObject({ code: 'bad-record' });
    }
    expect(existsSync(marker)).toBe(false);
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  });

  it('is also refused as a YAML tag', () => {
    const error = problemOf('---\ntitle: !!js/function "function () { globalThis.ran = true }"\n---\n');
    expect(error).toMatchObject({ code: 'bad-record' });
    expect(Reflect.get(globalThis, 'ran')).toBeUndefined();
  });
});

describe('a file that is not a record gives the place, the value, what was expected and an example:', () => {
  const id = 'id: "k3v9x2qd7m"\n';
  const refuses = (text: string, message: RegExp, hint: RegExp, path = PATH) => {
    const first = problemOf(text, path);
    expect(first.code).toBe('bad-record');
    expect(first.message).toContain(path);
    expect(first.message).toMatch(message);
    expect(first.hint).toMatch(hint);
    // gray-matter's cache would hand out an empty object the second time.
    expect(problemOf(text, path).message).toBe(first.message);
  };

  it.each([
    ['no front matter', '# Notes\n\nText.', /it starts with "# Notes"; expected a first line of exactly "---"/],
    ['an empty file', '', /it starts with ""/],
    ['no end', `---\n${id}title: "half writ`, /its front matter does not end; expected a second line of exactly "---"/],
    ['an end that is none', `---\n${id}--- x\n`, /its front matter does not end/],
    ['conflict markers', `---\n<<<<<<< a\n${id}=======\n>>>>>>> b\n---\n`, /expected YAML between two "---" lines/],
    ['broken YAML', `---\n${id}title: "a\nb: [\n---\n`, /expected YAML between two "---" lines/],
    ['a key twice', `---\n${id}title: a\ntitle: b\n---\n`, /expected YAML/],
    ['a list', '---\n- a\n- b\n---\n', /not a list of "key: value" lines/],
    ['an alias', `---\n${id}a: &x [1]\nb: *x\n---\n`, /expected YAML/],
  ])('%s', (_, text, message) => refuses(text, message, /---\nid: "k3v9x2qd7m"/));

  it.each([
    ['a bad id', 'id: "K3"', /"id" is "K3"; expected ten characters/],
    ['no id at all', 'title: "No id"', /"id" is missing; expected ten characters/],
  ])('%s', (_, line, message) =>
    refuses(`---\n${line}\n---\n`, message, /`id: "k3v9x2qd7m"`/, 'observations/2026-11/notes.md'),
  );

  it.each([
    ['kind: memo', /"kind" is "memo"; expected observation, summary, mark, prompt/, /`kind: observation`/],
    ['prompt_number: third', /"prompt_number" is "third"; expected a whole number/, /`prompt_number: 3`/],
    ['prompt_number: 9007199254740992', /"prompt_number" is "9007199254740992"/, /`prompt_number: 3`/],
    ['title: [a]', /"title" is \["a"\]; expected one line of text/, /`title: "a few words"`/],
    ['concepts: {a: b}', /"concepts" is \{"a":"b"\}; expected a list of texts/, /`concepts: \["one", "two"\]`/],
    ['concepts: [[a]]', /"concepts" is \[\["a"\]\]/, /`concepts:/],
    ['anchors: abc', /"anchors" is "abc"; expected a map of texts/, /`anchors: \{a: "b"\}`/],
    ['kind: mark', /"type" is missing; expected supersede, retire, pin/, /`type: retire`/],
    ['kind: mark\ntype: hide', /"type" is "hide"; expected supersede/, /`type: supersede`/],
    ['kind: mark\ntype: pin', /"targets" is missing; expected at least one id/, /`targets: \["k3v9x2qd7m"\]`/],
    [
      'kind: mark\ntype: supersede\ntargets: ["k3v9x2qd7m"]',
      /"by" is missing; expected the replacing id/,
      /`by: "7h2c9d4e1f"`/,
    ],
    ['kind: summary\ntype: bugfix', /"type" is "bugfix"; expected summary/, /`type: summary`/],
  ])('%j', (lines, message, hint) => refuses(`---\n${id}${lines}\n---\n`, message, hint));
});

describe('a hostile file', () => {
  const level = (i: number) => `l${i}: &l${i} [${i ? `*l${i - 1}, *l${i - 1}` : 'x'}]`;
  const levels = Array.from({ length: 30 }, (_, i) => level(i)).join('\n');
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
