import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { hookedSession } from '../support/hooked-session.ts';
import { loggedSession } from '../support/logged-session.ts';
import { PROGRAM } from '../support/program.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { FULL, trials } from '../support/trials.ts';

/** What is seen of a watch at work, to kill it then; each stays so once it came, however late one looks. */
const MOMENTS: ((repository: TestRepository) => number | string)[] = [
  // The first batch of events is in the spool.
  (repository) => `${spooled(repository).length} ${written(repository)}`,
  // The drain has begun.
  (repository) => `${drainLock(repository)} ${written(repository)}`,
  // It is among its records.
  written,
];

/** Times that the watch is killed: at each moment once at least. */
const KILLS = Math.max(MOMENTS.length, trials(6));

/** Turns that a log is longer by before each kill: with eight lines each, more than one batch of 64 events. */
const TURNS = FULL ? 20 : 10;

async function prepared(): Promise<TestRepository> {
  const repository = createRepository();
  await repository.call('init', '--yes');
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  return repository;
}

/** What `list --json` says of an observation. */
type Listed = Record<'narrative' | 'session' | 'generated_by' | 'created', string> & { files_modified: string[] };

function start({ root, env }: TestRepository, ...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'watch', '--transcripts', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += chunk));
  child.stderr.on('data', (chunk) => (output.stderr += chunk));
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen = (text: string | RegExp) =>
    vi.waitFor(() => expect(output.stderr).toMatch(text), { timeout: 60_000, interval: 20 });
  return { child, output, ended, seen };
}

async function observations(repository: TestRepository): Promise<Listed[]> {
  return JSON.parse(await repository.call('list', '--json', '--type', 'bugfix', '--limit', '10000')).records;
}

/** The rows that records are about, each as often as there is one. */
async function rowsIn(repository: TestRepository): Promise<number[]> {
  return (await observations(repository))
    .map(({ narrative }) => Number(/row (\d+)/i.exec(narrative)?.[1]))
    .sort((a, b) => a - b);
}

function spooled({ root }: TestRepository): string[] {
  const folder = join(root, '.git/git-mem/spool/new');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Who holds the drain's lock; a killed one leaves it behind. */
function drainLock({ root }: TestRepository): string {
  const lock = join(root, '.git/git-mem/lock');
  return existsSync(lock) ? readFileSync(lock, 'utf8') : '';
}

/** How many records the drain has written. */
function written({ root }: TestRepository): number {
  const folder = join(root, '.memory/observations');
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0;
}

describe('git mem watch --transcripts', () => {
  it('captures what is written from now on, turn by turn, until Ctrl-C', async () => {
    const repository = await prepared();
    const before = loggedSession(repository, { id: 'before', at: new Date(Date.now() - 3_600_000) });
    before.append(before.turn(1));
    const { child, output, ended, seen } = start(repository);
    await seen('Following 0 logs (claude-code, codex, gemini-cli). Ctrl-C ends this.\n');
    const session = loggedSession(repository);
    for (const line of session.turn(2)) session.append([line]);
    await seen(/claude-code .*logged-session\.jsonl: \d events? captured\.\n/);
    await vi.waitFor(async () => expect(await rowsIn(repository)).toEqual([2]), { timeout: 60_000, interval: 50 });
    expect(await observations(repository)).toMatchObject([
      { session: session.id, files_modified: ['src/limit.ts'], generated_by: 'transcript' },
    ]);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output.stdout).toBe('');
  });

  // Above 20 s on a busy machine: three processes each load the program and drain tens of turns before they are killed.
  it(`loses and doubles nothing through ${KILLS} kills while it reads`, async () => {
    const repository = await prepared();
    await gitMem(repository, ['watch', '--transcripts', '--once']);
    const session = loggedSession(repository);
    let turns = 0;
    let kills = 0;
    while (kills < KILLS) {
      const lines = Array.from({ length: TURNS }, () => session.turn(100 + turns++)).flat();
      session.append(lines.slice(0, -1));
      const seen = () => MOMENTS[kills % MOMENTS.length]?.(repository);
      const before = seen();
      const { child, ended } = start(repository);
      await vi.waitFor(() => expect(seen()).not.toBe(before), { timeout: 60_000, interval: 1 });
      session.append(lines.slice(-1));
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      kills++;
    }
    await gitMem(repository, ['watch', '--transcripts', '--once']);
    await gitMem(repository, ['drain', '--wait', '--all']);
    expect(await rowsIn(repository)).toEqual(Array.from({ length: turns }, (_, n) => 100 + n));
    expect(spooled(repository)).toEqual([]);
    // Whatever it knew of the logs is gone, and all of it is read again.
    expect((await gitMem(repository, ['watch', '--transcripts', '--all', '--once'])).stderr).toMatch(
      /0 records written/,
    );
    expect(await rowsIn(repository)).toHaveLength(turns);
  });

  it('reads what is there with --once, old sessions with --since and --all, and says it in JSON', async () => {
    const repository = await prepared();
    const old = loggedSession(repository, { id: 'old', at: new Date('2026-03-01T10:00:00Z') });
    const recent = loggedSession(repository, { id: 'recent', at: new Date('2026-10-01T10:00:00Z') });
    for (const [n, session] of [old, recent].entries()) session.append(session.turn(n + 1));
    const once = (...args: string[]) =>
      gitMem(repository, ['watch', '--transcripts', 'claude-code', '--once', ...args]);
    expect((await once()).stderr).toBe('Following 0 logs (claude-code).\n0 events captured, 0 records written.\n');
    const { stdout } = await once('--since', '2026-09', '--json');
    const [report, ended] = [stdout.slice(0, stdout.indexOf('\n')), stdout.slice(stdout.indexOf('\n'))];
    expect(await rowsIn(repository)).toEqual([2]);
    expect(JSON.parse(report)).toMatchObject({ mapping: 'claude-code' });
    expect(ended).toContain('"written"');
    expect((await once('--all')).stderr).toContain('written.');
    expect(await rowsIn(repository)).toEqual([1, 2]);
    expect((await observations(repository)).map(({ created }) => created.slice(0, 7))).toEqual(['2026-10', '2026-03']);
  });

  it('leaves a session to its hooks, also where its log is quicker than the drain', async () => {
    const repository = await prepared();
    const log = loggedSession(repository, { id: 'both' });
    const hooks = hookedSession(repository.root, { id: 'both' });
    log.append(log.turn(7));
    hooks.prompt('turn', 'the importer drops row 7, please find out why and fix it');
    expect((await gitMem(repository, ['watch', '--transcripts', '--all', '--once'])).stderr).toContain(
      '5 events captured',
    );
    hooks.work('turn', 7);
    await gitMem(repository, ['drain', '--wait', '--all']);
    expect(await observations(repository)).toMatchObject([{ generated_by: 'claude-code' }]);
    log.append(log.turn(8));
    expect((await gitMem(repository, ['watch', '--transcripts', '--all', '--once'])).stderr).toContain(
      'left to the hooks',
    );
    expect(await rowsIn(repository)).toEqual([7]);
  });

  it.each([
    ['a mapping that there is none of', ['nobody'], 1, 'There is no mapping of transcripts called "nobody".'],
    ['a date that is none', ['--since', 'soon'], 1, '"soon" names no time.'],
    ['two beginnings', ['--since', 'today', '--all'], 2, 'give --since or --all'],
  ])('refuses %s', async (_what, args, code, message) => {
    const answer = await gitMem(await prepared(), ['watch', '--transcripts', ...args]);
    expect(answer).toMatchObject({ code, stdout: '' });
    expect(answer.stderr).toContain(message);
  });

  it('refuses its options without it, a checkout without memory, and a mapping that is none', async () => {
    const bare = createRepository();
    expect(await gitMem(bare, ['watch', '--once'])).toMatchObject({ code: 2 });
    expect((await gitMem(bare, ['watch', '--transcripts', '--once'])).stderr).toContain('git mem init');
    const repository = await prepared();
    repository.write('../home/.config/git-mem/transcripts/own.json', '{"logs": {}}');
    const { code, stderr } = await gitMem(repository, ['watch', '--transcripts', '--once']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/own\.json is no mapping of transcripts: "logs\.folder"/);
    expect(await gitMem(repository, ['watch', '--transcripts'], { env: { GIT_MEM: '0' } })).toMatchObject({ code: 0 });
  });
});
