import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { checkMemory } from '../../src/review/check.ts';
import { compareMemory } from '../../src/review/diff.ts';
import { checkMarkdown, diffMarkdown } from '../../src/review/render.ts';
import {
  ATTACKED_FILE,
  type Attacked,
  attacked,
  dropAttacked,
  harmless,
  MARK,
  putAttacked,
  retired,
} from '../support/attacked-records.ts';
import { ATTACKS, type Attack, FLOOD, HIDDEN, TRIED } from '../support/attacks.ts';
import { gitMem } from '../support/command-line.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, put } from '../support/written-records.ts';

const ALL = '--kind observation,summary,mark,prompt --all --limit 3000';
const TERMINAL = [
  ...[
    `list ${ALL}`,
    `search clock ${ALL}`,
    'search Zqx1W0',
    'timeline clock --before 250 --after 250',
    'show PLAIN',
    'show IDS',
  ],
  ...['show MARKS', 'show PROMPTS', 'timeline ID', 'why PLAIN', 'why ID', 'why MARK', 'why PROMPT'],
  ...['why src/auth.ts', 'diff main', 'check', 'check --format md', 'context'],
  ...['context --receipt', 'status', 'stats', 'doctor', 'export'],
  ...['salvage --dry-run', 'list --json', 'config'],
];
/** Commands that must have told something of an attack, or their silence would pass. */
const TELLING = /^(?:list|search|show [IMP]\w+S|timeline|why (?!PLAIN)|diff|check|context|export)/;
/** Those that have to tell of every attack that can be seen. */
const COMPLETE = /^(?:list --kind|why src|export)/;
/** Those that this run tries, and those that commands name. */
const SHOWN = ATTACKS.filter(
  (attack) =>
    TRIED.includes(attack) ||
    /^order, (?:our fence|bidi|eight-bit controls|overwriting|window title)$/.test(attack.name),
);
/** Attacks on terminals, one of each: commands that are about one record are asked about these. */
const MOVING = SHOWN.filter(({ name }) => /^order, (?:bidi|eight-bit controls|overwriting|window title)$/.test(name));
/** Not those that are written in characters that nobody sees, or with marks on every letter. */
const VISIBLE = SHOWN.filter(({ name }) => !/(?:tag characters|zalgo)$/.test(name));
/** Few enough that a comment lists all their records. */
const BATCH = 6;

/** One repository for all that only looks: own records with every attack, in a history with hostile subjects. */
let shown: TestRepository;
let remove = () => {};

beforeAll(() => {
  shown = createRepository('repository', (later) => {
    remove = later;
  });
  const { git, write } = shown;
  write(ATTACKED_FILE, 'auth\n');
  git('add', ATTACKED_FILE);
  git('commit', '--quiet', '-m', 'base');
  git('checkout', '--quiet', '-b', 'topic\u202e-<system-reminder>');
  put(shown, harmless);
  // Each commit adds a line with its records, few enough that `why FILE` prints all of them.
  let lines = 'auth\n';
  for (const attacks of batches(2)) {
    for (const attack of attacks) putAttacked(shown, attack);
    lines += `auth ${lines.length}\n`;
    write(ATTACKED_FILE, lines);
    git('add', '--all');
    const subject = attacks[0]?.text.toWellFormed().replaceAll('\u0000', '');
    git('commit', '--quiet', '--no-verify', '-m', `Zqx99W9 ${subject}`);
  }
});

afterAll(() => remove());

describe('law: record text never controls a terminal', () => {
  it('through a real pseudo-terminal, which prints the same as the simulated one', async () => {
    const list = ['list', ...ALL.split(' ')];
    const options = { cwd: shown.root, env: { ...shown.env, TERM: 'xterm-256color' }, encoding: 'utf8' } as const;
    const command = `stty cols 4000; ${[process.execPath, PROGRAM, ...list].map((word) => `'${word}'`).join(' ')}`;
    const { stdout, error } = spawnSync('script', ['-qec', command, '/dev/null'], { ...options, maxBuffer: 1 << 28 });
    expect(error).toBeUndefined();
    expect(stdout.replaceAll('\r\n', '\n')).toBe(await onTerminal([list]));
  });

  it.each(TERMINAL)('in `git mem %s`', async (command) => {
    const stdout = await onTerminal(argumentsOf(command));
    // Our own colours, and what clears a line of progress.
    const bare = stdout.replace(/\u001b\[(?:[0-9]{1,2}(?:;[0-9]{1,2})?)?m|\r?\u001b\[2?K\r?/g, '');
    expect(around(HIDDEN, bare)).toBeUndefined();
    expect(stdout).not.toMatch(/\u001b\[5|\u009b/);
    // JSON is for programs, and gives them what the record says.
    if (!/^export$|claude-mem|--json/.test(command)) expect(around(FLOOD, bare)).toBeUndefined();
    if (TELLING.test(command)) expect(stdout).toMatch(MARK);
    if (COMPLETE.test(command)) expect(missing(marksIn(stdout))).toEqual([]);
  });
});

describe('law: record text is only quoted in a review comment', () => {
  it('as no link, image, tag, heading or mention, for every kind of record', async () => {
    const repository = createRepository();
    const workspace = openWorkspace(repository.root, repository.env);
    const told = { records: new Set<string>(), reasons: new Set<string>() };
    for (const attacks of batches(BATCH)) {
      const records = attacks.flatMap(retired);
      for (const attack of attacks) dropAttacked(repository, attack);
      for (const record of records) drop(repository, record);
      const compared = await compareMemory(workspace, { base: undefined, head: undefined });
      const diff = diffMarkdown(compared.diff);
      const check = await checkMemory(workspace);
      for (const comment of [diff, checkMarkdown(check)]) expectQuoted(comment);
      for (const line of diff.split('\n')) {
        const group = line.startsWith('- `It was true once`') ? told.reasons : told.records;
        for (const mark of marksIn(line)) group.add(mark);
      }
      rmSync(join(repository.root, '.memory'), { recursive: true });
    }
    expect([missing(told.records), missing(told.reasons)]).toEqual([[], []]);
  });

  it('including in one comment about all of them', async () => {
    const stdout = await shown.call('diff', 'main', '--format', 'md');
    expect(stdout).toMatch(MARK);
    expectQuoted(stdout);
  });
});

/** Every word of an attack stands in a code span. */
function expectQuoted(comment: string): void {
  for (const node of nodesIn(unified().use(remarkParse).parse(comment))) {
    if (node.type === 'inlineCode' || node.type === 'code') continue;
    if ('value' in node) expect(node.value).not.toMatch(MARK);
    if ('url' in node) expect(node.url).not.toMatch(/evil|javascript:/);
  }
  expect([around(HIDDEN, comment), around(FLOOD, comment)]).toEqual([undefined, undefined]);
}

function* batches(size: number): Generator<Attack[]> {
  for (let at = 0; at < SHOWN.length; at += size) yield SHOWN.slice(at, at + size);
}

function marksIn(text: string): Set<string> {
  return new Set(text.match(new RegExp(MARK, 'g')));
}

/** The attacks of which nothing is shown, though it could be. */
function missing(told: Set<string>): string[] {
  return VISIBLE.filter(({ mark }) => !told.has(mark)).map(({ name }) => name);
}

/** What a pattern finds, with what stands around it. */
function around(pattern: RegExp, text: string): string | undefined {
  const found = pattern.exec(text);
  return found ? JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 40)) : undefined;
}

/** The commands that a line stands for: one that is about one record is asked about several. */
function argumentsOf(command: string): string[][] {
  const idsOf = (attacks: Attack[], kind: keyof Attacked) => attacks.map((attack) => attacked(attack)[kind].id);
  const some = SHOWN.filter((_, i) => i % 6 === 0);
  const lists: Record<string, string[]> = {
    PLAIN: [harmless.id],
    IDS: idsOf(some, 'observation'),
    MARKS: idsOf(some, 'mark'),
    PROMPTS: idsOf(some, 'prompt'),
  };
  const ones: Record<string, string[]> = {
    ID: idsOf(MOVING, 'observation'),
    MARK: idsOf(MOVING, 'mark'),
    PROMPT: idsOf(MOVING, 'prompt'),
  };
  const words = command.split(' ').flatMap((word) => lists[word] ?? word);
  const place = words.findIndex((word) => word in ones);
  if (place < 0) return [words];
  return (ones[words[place] ?? ''] ?? []).map((id) => words.with(place, id));
}

/** Runs git-mem as on a wide terminal, several times, and gives all that it shows there. */
async function onTerminal(runs: string[][]): Promise<string> {
  let shownThere = '';
  for (const args of runs) {
    const { code, stdout, stderr } = await gitMem(shown, args, {
      tty: true,
      columns: 4000,
      env: { TERM: 'xterm-256color' },
    });
    // A list that finds something wrong ends with 1, which is no trouble.
    expect(code, `${args.join(' ')}: ${stderr}`).toBeLessThanOrEqual(1);
    shownThere += stdout + stderr;
  }
  return shownThere;
}

function nodesIn(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesIn) : [])];
}
