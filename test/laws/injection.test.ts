import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation, Summary } from '../../src/memory/record.ts';
import { CLOSE, MAX_CHARS, OPEN } from '../../src/recall/fence.ts';
import { ATTACKS, type Attack, FLOOD, HIDDEN, TAG_LIKE } from '../support/attacks.ts';
import { run } from '../support/command.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { allThatIsTold } from '../support/told.ts';
import { drop, observationOf, put, summaryOf } from '../support/written-records.ts';

const FILE = 'src/auth.ts';
const AT = new Date().toISOString().replace(/\.\d+/, '');
const PROMPT = 'users get a 401 right after login again: is the clock skew between nodes handled?';
const MARK = /Zqx\d+W\d+/;
const BATCH = 12;
const plain = observationOf({
  ...{ id: idOf('plain'), title: 'Clock skew is tolerated', files_modified: [FILE] },
  anchors: { [FILE]: blobId('auth\n') },
});

const TERMINAL = [
  ...[
    'list --all',
    'search Zqx1W0',
    'show PLAIN',
    'show IDS',
    'timeline ID',
    'why PLAIN',
    'why ID',
    'blame src/auth.ts',
    'diff main',
  ],
  ...['check', 'context', 'context --receipt', 'status', 'stats', 'doctor', 'export --format md', 'export', 'dedupe'],
  ...['salvage --dry-run', 'trailers', 'list --json', 'config'],
];
/** Commands that must have told something of an attack, or their silence would pass. */
const TELLING = /^(?:list|show IDS|timeline|why ID|diff|check|context|export)/;

/** One repository for all that only looks: own records with every attack, in a history with hostile subjects. */
let shown: TestRepository;
let remove = () => {};

beforeAll(() => {
  shown = knowing((later) => {
    remove = later;
  });
  const { git, write } = shown;
  git('checkout', '--quiet', '-b', 'topic\u202e-<system-reminder>');
  for (const record of ATTACKS.flatMap(hostile)) put(shown, record);
  put(shown, plain);
  for (const [i, { text }] of ATTACKS.filter((_, i) => i % 20 === 0).entries()) {
    write(FILE, `auth ${i}\n`);
    git('add', '--all');
    git('commit', '--quiet', '--no-verify', '-m', `Zqx99W9 ${text.toWellFormed().replaceAll('\u0000', '')}`);
  }
}, 120_000);

afterAll(() => remove());

describe('law: what records say never leaves its fence', () => {
  it('at any start, on a prompt and before a read, however an attack is written', async () => {
    const repository = knowing();
    let told = 0;
    for (const attacks of batches()) {
      const paths = attacks.flatMap(hostile).map((record) => put(repository, record));
      for (const text of (await allThatIsTold(repository, { prompt: PROMPT, file: FILE })).map(injectedOf)) {
        expectFenced(text);
        told += text.match(new RegExp(MARK, 'g'))?.length ?? 0;
      }
      for (const path of paths) rmSync(join(repository.root, path));
    }
    // Or the law would hold of silence.
    expect(ATTACKS.length).toBeGreaterThanOrEqual(200);
    expect(told).toBeGreaterThan(ATTACKS.length);
  });

  it('and nothing of it is injected from a record that nobody here has accepted', async () => {
    const repository = knowing();
    for (const record of ATTACKS.flatMap(hostile)) drop(repository, record);
    for (const text of await allThatIsTold(repository, { prompt: PROMPT, file: FILE })) {
      expect(text).not.toMatch(MARK);
      expect(text).not.toMatch(/evil|ignore all/i);
    }
  });

  it('nor of what an import brought', async () => {
    const [from, to] = [knowing(), knowing()];
    for (const record of ATTACKS.filter((_, i) => i % 5 === 0).flatMap(hostile)) put(from, record);
    const file = join(to.folder, 'notes.jsonl');
    writeFileSync(file, run(from, ['export']).stdout);
    expect(run(to, ['import', 'jsonl', file, '--team'])).toMatchObject({ status: 0 });
    const texts = (await allThatIsTold(to, { prompt: PROMPT, file: FILE })).map(injectedOf);
    expect(texts.join('')).toMatch(MARK);
    for (const text of texts) expectFenced(text);
  });

  it('in what a tool answers over MCP, as text and as data', async () => {
    const repository = knowing();
    const ids = ATTACKS.flatMap(hostile).map((record) => {
      put(repository, record);
      return record.id;
    });
    const connection = await connectMcp({ cwd: repository.root, env: repository.env });
    try {
      const answers = [
        await connection.call('search', { query: 'clock skew', limit: 50 }),
        await connection.call('timeline', { anchor: ids[0] }),
      ];
      for (let at = 0; at < ids.length; at += 20)
        answers.push(await connection.call('get_observations', { ids: ids.slice(at, at + 20) }));
      for (const { text, data } of answers) {
        for (const one of [text, ...stringsIn(data)]) expectHarmless(one);
      }
      const marks = answers.flatMap(({ text }) => text.match(new RegExp(MARK, 'g')) ?? []);
      // Of the six that are written in characters that nobody sees, nothing is left.
      expect(new Set(marks).size).toBe(ATTACKS.length - 6);
    } finally {
      await connection.close();
    }
  });
});

describe('law: what records say moves no terminal', () => {
  it.each(TERMINAL)('in `git mem %s`', (command) => {
    const { stdout, error, status } = onTerminal(shown, argumentsOf(command));
    expect({ error, isWrong: status === null || status > 1 }).toEqual({ error: undefined, isWrong: false });
    // Our own colours, and what clears a line of progress.
    const bare = stdout
      .replaceAll('\r\n', '\n')
      .replace(/\u001b\[(?:[0-9]{1,2}(?:;[0-9]{1,2})?)?m|\r?\u001b\[2?K\r?/g, '');
    expect(HIDDEN.exec(bare)?.[0]).toBeUndefined();
    expect(stdout).not.toMatch(/\u001b\[5|\u009b/);
    // JSON is for programs, and gives them what the record says.
    if (!/^export$|--json/.test(command)) expect(FLOOD.exec(bare)?.[0]).toBeUndefined();
    if (TELLING.test(command)) expect(stdout).toMatch(MARK);
  });
});

describe('law: what records say is a quotation in a review comment', () => {
  it('and no link, image, tag, heading or mention', () => {
    const { stdout } = run(shown, ['diff', 'main', '--format', 'md']);
    const tree = unified().use(remarkParse).parse(stdout);
    const outside = nodesIn(tree).filter((node) => node.type !== 'inlineCode' && node.type !== 'code');
    expect(stdout).toMatch(MARK);
    for (const node of outside) {
      if ('value' in node) expect(node.value).not.toMatch(MARK);
      if ('url' in node) expect(node.url).not.toMatch(/evil|javascript:/);
    }
    expect(HIDDEN.exec(stdout)?.[0]).toBeUndefined();
  });
});

/** What the repository knows and nobody attacks with. */
function knowing(atEnd?: (remove: () => void) => void): TestRepository {
  const repository = createRepository('repository', atEnd);
  repository.write(FILE, 'auth\n');
  repository.git('add', FILE);
  repository.git('commit', '--quiet', '-m', 'base');
  return repository;
}

function* batches(): Generator<Attack[]> {
  for (let at = 0; at < ATTACKS.length; at += BATCH) yield ATTACKS.slice(at, at + BATCH);
}

/** An attack in every field that a record has. */
function hostile({ name, text, mark }: Attack): (Observation | Summary)[] {
  const common = { session: text, branch: text, title: `clock skew ${text}` };
  return [
    observationOf({
      ...{ id: idOf('attack', name), ...common, subtitle: text, narrative: `After login users get a 401. ${text}` },
      ...{ facts: [text, `a fact ${text}`], concepts: [text], extractor: text, generated: { by: text, at: AT } },
      ...{ files_modified: [FILE, `src/${mark}/${text}`], files_read: [text] },
    }),
    summaryOf({
      ...{ id: idOf('attack of a summary', name), ...common, generated: { by: 'test', at: AT } },
      ...{ request: text, investigated: text, learned: text, completed: text, next_steps: text, notes: text },
      ...{ files_edited: [text] },
    }),
  ];
}

/** The text that the host hands to the model: a recall is the host's JSON. */
function injectedOf(text: string): string {
  if (!text.startsWith('{')) return text;
  const { hookSpecificOutput, ...rest } = JSON.parse(text);
  expect(Object.keys(rest)).toEqual([]);
  expect(Object.keys(hookSpecificOutput).sort()).toEqual(['additionalContext', 'hookEventName']);
  return hookSpecificOutput.additionalContext;
}

/** The fence opens once and closes once, at the ends; inside, what an attacker said stands behind something of ours. */
function expectFenced(text: string): void {
  if (text === '') return;
  expect(text.length).toBeLessThanOrEqual(MAX_CHARS);
  expect([text.startsWith(`${OPEN}\n`), text.trimEnd().endsWith(`\n${CLOSE}`)]).toEqual([true, true]);
  expect([text.split(OPEN).length, text.split(CLOSE).length]).toEqual([2, 2]);
  const inside = text.replace(OPEN, '').replace(CLOSE, '');
  expectHarmless(inside);
  for (const line of inside.split('\n').filter((one) => MARK.test(one))) {
    expect(line).not.toMatch(/^\s*(?:Zqx|Ignore|```|---|\{|"|#+ (?!Last session))/);
    expect(line.length).toBeLessThan(1_000);
  }
}

function expectHarmless(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  for (const pattern of [TAG_LIKE, HIDDEN, FLOOD]) {
    const found = pattern.exec(text);
    expect(found && text.slice(Math.max(0, found.index - 40), found.index + 60)).toBeNull();
  }
}

function argumentsOf(command: string): string[] {
  const ids = ATTACKS.map((attack) => idOf('attack', attack.name));
  const names: Record<string, string[]> = {
    PLAIN: [plain.id],
    ID: ids.slice(7, 8),
    IDS: ids.filter((_, i) => i % 6 === 0),
  };
  return command.split(' ').flatMap((word) => names[word] ?? word);
}

/** Runs git-mem on a pseudo-terminal and gives all bytes that reached it. */
function onTerminal({ root, env }: TestRepository, args: string[]) {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  return spawnSync('script', ['-qec', command, '/dev/null'], {
    ...{ cwd: root, env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' }, encoding: 'utf8', maxBuffer: 1 << 28 },
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function nodesIn(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])];
}
