import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePath, valuesAt } from '../../../src/worker/transcripts/dotted-path.ts';
import { findMappings, parseMapping } from '../../../src/worker/transcripts/mapping.ts';
import { createReader } from '../../../src/worker/transcripts/reader.ts';
import { createRepository } from '../../support/repository.ts';

const EXAMPLE = readFileSync('templates/transcripts/example.json', 'utf8');

/** The example with some of its keys changed. */
function changed(change: Record<string, unknown>): string {
  return JSON.stringify({ ...JSON.parse(EXAMPLE), ...change });
}

describe('a path', () => {
  const line = { a: { b: [{ c: 1 }, { c: 2 }, 'x'] }, json: '{"cmd":"ls"}', list: [['p'], ['q']], 'a.b': 0 };
  it.each([
    ['a.b[].c', [1, 2]],
    ['a.b[1].c', [2]],
    ['a.b[7].c', []],
    ['list[][]', ['p', 'q']],
    ['json.@json.cmd', ['ls']],
    ['a.@json.cmd', []],
    ['@.e', ['element']],
    ['toString', []],
    ['a.constructor.name', []],
    ['__proto__', []],
  ])('%s leads to %j', (text, values) => {
    const path = parsePath(text);
    expect(path && valuesAt(path, { line, element: { e: 'element' } })).toEqual(values);
  });

  it.each(['', 'a..b', '.a', 'a.', '[0]', 'a[x]', 'a[', '@json@', 'a.@e'])('%j is none', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });
});

describe('a mapping', () => {
  it.each([
    ['not JSON', '{', 'it is not JSON.'],
    ['a list', '[]', 'no mapping of transcripts'],
    ['a key that is not known', changed({ rule: [] }), '"rule" is not known.'],
    ['no time', changed({ take: { session: 's' } }), '"take.time"'],
    ['a path that is none', changed({ take: { time: 'a..b' } }), '"take.time"'],
    ['an odd kind', changed({ rules: [{ kind: 'prompt' }, { kind: 'talk' }] }), '"rules.1.kind"'],
    ['a key that no rule takes', changed({ rules: [{ kind: 'prompt', take: { txt: 'a' } }] }), '"rules.0.take": "txt"'],
    ['a condition at no path', changed({ rules: [{ kind: 'prompt', when: { 'a..b': 1 } }] }), '"rules.0.when"'],
    ['no rules', changed({ rules: [] }), '"rules"'],
    ['a folder outside', changed({ logs: { folder: '../other', files: '*' } }), '"logs.folder": expected a relative'],
    ['an absolute folder', changed({ logs: { folder: '/etc', files: '*' } }), '"logs.folder": expected a relative'],
    ['files outside', changed({ logs: { folder: 'a', files: '*/../../x' } }), '"logs.files": expected a relative'],
    ['a word that is no action', changed({ tools: { a: 'think' } }), '"tools.a"'],
  ])('names the file and the key of %s', (_what, text, message) => {
    expect(() => parseMapping('own', text, '/home/own.json')).toThrow(message);
    expect(() => parseMapping('own', text, '/home/own.json')).toThrow('/home/own.json');
  });

  it("of the user's own is there beside ours, and stands in for one of the same name; the team's is never read", () => {
    const { env, write, root } = createRepository();
    write('../home/.config/git-mem/transcripts/own.json', EXAMPLE);
    write('../home/.config/git-mem/transcripts/codex.json', changed({ about: 'Mine.' }));
    write('.memory/transcripts/theirs.json', EXAMPLE);
    write('.config/git-mem/transcripts/theirs.json', EXAMPLE);
    expect(root).not.toBe(join(root, '../home'));
    expect(findMappings(env).map(({ name, about }) => [name, about === 'Mine.'])).toEqual([
      ['claude-code', false],
      ['codex', true],
      ['gemini-cli', false],
      ['own', false],
    ]);
  });

  it('that people copy understands what it shows', () => {
    const reader = createReader(parseMapping('example', EXAMPLE, 'example.json'));
    const read = (line: object) =>
      reader.read(JSON.stringify({ session: 's', cwd: '/repo', time: 1_795_000_000, turn: 't', ...line }));
    expect(read({ type: 'start', reason: 'startup' })).toMatchObject([
      { at: '2026-11-18T11:06:40.000Z', event: { kind: 'session-start', session: 's', cwd: '/repo' } },
    ]);
    expect(read({ type: 'message', role: 'user', text: ' <system>be kind' })).toEqual([]);
    expect(read({ type: 'message', role: 'user', parts: [{ text: 'one' }, { text: 'two' }], id: 'm' })).toMatchObject([
      { event: { kind: 'prompt', text: 'one\ntwo', turn: 't', key: 'prompt m' } },
    ]);
    const call = { id: 'c', name: 'run', input: { command: 'npm test' }, output: 'not ok', exit_code: 1, done: true };
    expect(read({ type: 'tools', calls: [call, { ...call, done: undefined }] })).toMatchObject([
      {
        event: {
          kind: 'tool',
          key: 'tool c',
          call: { action: 'command', command: 'npm test', ok: false, exitCode: 1 },
        },
      },
    ]);
    expect(read({ type: 'answer', text: 'Done.', internal: true })).toEqual([]);
    expect(read({ type: 'answer', text: 'Done.', time: 'soon' })).toBeUndefined();
    expect(read({ type: 'answer', text: 'Done.' })).toMatchObject([{ event: { kind: 'turn-end', text: 'Done.' } }]);
    expect(reader.read('{"type":')).toBeUndefined();
    expect(read({ type: 'end', reason: 'exit' })).toMatchObject([{ event: { kind: 'session-end', reason: 'exit' } }]);
  });
});
