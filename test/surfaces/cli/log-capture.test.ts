import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../support/command.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { loggedSession } from '../../support/logged-session.ts';
import { initialised } from '../../support/prepared-repository.ts';
import { PROGRAM } from '../../support/program.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const it = test.extend('repository', () => prepared());

/** Times that it is killed while it reads. */
const KILLS = 6;

/** Turns that a log is longer by before each kill: more than one batch of events. */
const TURNS = 20;

async function prepared(): Promise<TestRepository> {
  const repository = await initialised();
  repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
  return repository;
}

/** What `list --json` says of a prompt: what every turn leaves, whatever becomes of its session. */
type Listed = Record<'text' | 'session' | 'generated_by' | 'created', string>;

function start({ root, env }: TestRepository) {
  const child = spawn(process.execPath, [PROGRAM, 'sync', '--transcripts'], { cwd: root, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended };
}

async function prompts(repository: TestRepository): Promise<Listed[]> {
  return JSON.parse(await repository.call('list', '--json', '--kind', 'prompt', '--limit', '10000')).records;
}

/** The rows that prompts are about, each as often as there is one. */
async function rowsIn(repository: TestRepository): Promise<number[]> {
  return (await prompts(repository)).map(({ text }) => Number(/row (\d+)/i.exec(text)?.[1])).sort((a, b) => a - b);
}

const spooled = ({ root }: TestRepository) => {
  const folder = join(root, '.git/git-mem/spool/new');
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];
};

describe('git mem sync --transcripts', () => {
  it('captures what was written since its first run', async ({ repository }) => {
    const before = loggedSession(repository, { id: 'before', at: new Date(Date.now() - 3_600_000) });
    before.append(before.turn(1));
    const sync = () => run(repository, ['sync', '--transcripts']).stderr;
    expect(sync()).toBe('0 events captured, 0 records written.\n');
    const session = loggedSession(repository);
    session.append(session.turn(2));
    expect(sync()).toMatch(/claude-code .*logged-session\.jsonl: 5 events captured\.\n/);
    expect(await rowsIn(repository)).toEqual([2]);
    expect(await prompts(repository)).toMatchObject([{ session: session.id, generated_by: 'transcript' }]);
  });

  it(`loses and doubles nothing through ${KILLS} kills while it reads`, async ({ repository }) => {
    run(repository, ['sync', '--transcripts']);
    const session = loggedSession(repository);
    let turns = 0;
    let kills = 0;
    while (kills < KILLS) {
      const lines = Array.from({ length: TURNS }, () => session.turn(100 + turns++)).flat();
      session.append(lines.slice(0, -1));
      const { child, ended } = start(repository);
      const count = spooled(repository).length;
      // Somewhere among its first batches, or in the drain that they wake.
      await vi.waitFor(() => expect(spooled(repository).length).not.toBe(count), { timeout: 60_000, interval: 1 });
      session.append(lines.slice(-1));
      await sleep((kills % 6) * 40);
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      kills++;
    }
    run(repository, ['sync', '--transcripts']);
    run(repository, ['drain', '--wait', '--all']);
    expect(await rowsIn(repository)).toEqual(Array.from({ length: turns }, (_, n) => 100 + n));
    expect(spooled(repository)).toEqual([]);
    // Whatever it knew of the logs is gone, and all of it is read again.
    expect(run(repository, ['sync', '--transcripts', '--since', '2020']).stderr).toMatch(/0 records written/);
    expect(await rowsIn(repository)).toHaveLength(turns);
  }, 300_000);

  it('reads existing logs, old sessions with --since, and reports in JSON', async ({ repository }) => {
    const old = loggedSession(repository, { id: 'old', at: new Date('2026-03-01T10:00:00Z') });
    const recent = loggedSession(repository, { id: 'recent', at: new Date('2026-10-01T10:00:00Z') });
    for (const [n, session] of [old, recent].entries()) session.append(session.turn(n + 1));
    const once = (...args: string[]) => run(repository, ['sync', '--transcripts', 'claude-code', ...args]);
    expect(once().stderr).toBe('0 events captured, 0 records written.\n');
    const { stdout } = once('--since', '2026-09', '--json');
    const [report, ended] = [stdout.slice(0, stdout.indexOf('\n')), stdout.slice(stdout.indexOf('\n'))];
    expect(await rowsIn(repository)).toEqual([2]);
    expect(JSON.parse(report)).toMatchObject({ host: 'claude-code' });
    expect(ended).toContain('"written"');
    expect(once('--since', '2020').stderr).toContain('written.');
    expect(await rowsIn(repository)).toEqual([1, 2]);
    expect((await prompts(repository)).map(({ created }) => created.slice(0, 7))).toEqual(['2026-10', '2026-03']);
  });

  it('leaves a session to its hooks, even where its log is faster than the drain', async ({ repository }) => {
    const log = loggedSession(repository, { id: 'both' });
    const hooks = hookedSession(repository.root, { id: 'both' });
    log.append(log.turn(7));
    hooks.prompt('turn', 'the importer drops row 7, please find out why and fix it');
    expect(run(repository, ['sync', '--transcripts', '--since', '2020']).stderr).toContain('5 events captured');
    hooks.work('turn', 7);
    run(repository, ['drain', '--wait', '--all']);
    expect(await prompts(repository)).toMatchObject([{ generated_by: 'claude-code' }]);
    log.append(log.turn(8));
    expect(run(repository, ['sync', '--transcripts', '--since', '2020']).stderr).toContain('left to the hooks');
    expect(await rowsIn(repository)).toEqual([7]);
  });

  it.each([
    ['an agent whose logs cannot be read', ['nobody'], 1, 'There is no agent called "nobody" whose logs can be read.'],
    ['a date that is none', ['--since', 'soon'], 1, '"soon" is not a date.'],
  ])('refuses %s', async (_what, args, status, message) => {
    const answer = run(await prepared(), ['sync', '--transcripts', ...args]);
    expect(answer).toMatchObject({ status, stdout: '' });
    expect(answer.stderr).toContain(message);
  });

  it('refuses --since without --transcripts, --watch with it, and a checkout without memory', async () => {
    const bare = createRepository();
    expect(run(bare, ['sync', '--since', '2020'])).toMatchObject({ status: 2 });
    expect(run(bare, ['sync', '--transcripts']).stderr).toContain('git mem init');
    const repository = await prepared();
    expect(run(repository, ['sync', '--watch', '--transcripts'])).toMatchObject({ status: 2 });
    expect(run(repository, ['sync', '--transcripts'], { GIT_MEM: '0' })).toMatchObject({ status: 0 });
  });
});
