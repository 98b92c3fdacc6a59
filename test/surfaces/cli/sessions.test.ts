import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { connectMcpHere } from '../../support/mcp-client.ts';
import { setModel } from '../../support/recording-model.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const it = test.extend('repository', () => setUp());

const ID = '65939976-74e7-49bb-921b-c8315e7665e8';
const CUT = '7a0c1111-0000-4000-8000-000000000001';
const DONE = '2026-11-20T20:00:00Z';

function setUp(): TestRepository {
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
  repository.git('add', '.');
  repository.git('commit', '-qm', 'Start');
  return repository;
}

/** A session that fixes, commits and ends. */
function finished(repository: TestRepository): void {
  const session = hookedSession(repository.root, { at: new Date(DONE) });
  session.report('SessionStart', { source: 'startup' });
  session.work('t1', 7);
  session.prompt('t2', 'commit it');
  repository.write('src/limit.ts', 'export const LIMIT = 8;\n');
  repository.git('commit', '-qam', 'Raise the limit');
  session.call('t2', 't2-1', 'Bash', { command: 'git commit -am "Raise the limit"' }, { stdout: '', stderr: '' });
  session.stop('t2', 'Committed.');
  session.end();
}

/** A session whose client was killed in its second turn. */
function killed(repository: TestRepository, at: Date): void {
  const session = hookedSession(repository.root, { id: CUT, at });
  session.work('k1', 3);
  session.prompt('k2', 'now look at the exporter');
}

async function listed(repository: TestRepository, ...args: string[]) {
  await gitMem(repository, ['drain', '--wait']);
  return JSON.parse((await gitMem(repository, ['sessions', '--json', ...args])).stdout);
}

describe('git mem sessions', () => {
  it('lists what hooks reported of a session, from its start to its end', async ({ repository }) => {
    finished(repository);
    const { total, sessions } = await listed(repository);
    expect(total).toBe(1);
    expect(sessions[0]).toMatchObject({
      session: ID,
      title: 'Raise the limit',
      state: 'ended',
      host: 'claude-code',
      branch: 'main',
      prompts: 2,
      files_modified: ['src/limit.ts'],
      commits: [{ commit: repository.git('rev-parse', 'HEAD').trim(), subject: 'Raise the limit' }],
    });
    expect(sessions[0].started).toMatch(/^2026-11-20T20:00:0/);
    expect(sessions[0].ended).toMatch(/^2026-11-20T20:00:1\d/);
    expect(sessions[0].tokens).toBeGreaterThan(50);
    expect(sessions[0].records).toEqual([]);
    const { stdout } = await gitMem(repository, ['sessions']);
    expect(stdout).toMatch(
      /^65939976 2026-11-20 20:00 ended {7}claude-code Raise the limit.*2 prompts, 1 file, 1 commit, 0 records, about \d+ tokens, on main\]/,
    );
  });

  it('says the same when only the private store is left', async ({ repository }) => {
    finished(repository);
    const [before] = (await listed(repository)).sessions;
    rmSync(join(repository.root, '.git/git-mem/sessions'), { recursive: true });
    const [after] = (await listed(repository)).sessions;
    const times = { started: expect.stringMatching(/^2026-11-20T20:00:0/), ended: expect.stringMatching(/^2026-/) };
    expect(after).toEqual({ ...before, ...times, host: expect.stringContaining('claude-code') });
  });

  it('tells an interrupted session from one that is open, and from one that just stopped', async ({ repository }) => {
    killed(repository, new Date(Date.now() - 7_200_000));
    hookedSession(repository.root, { at: new Date(Date.now() - 60_000) }).work('o1', 2);
    const quiet = hookedSession(repository.root, { id: 'quiet-1', at: new Date(Date.now() - 7_300_000) });
    quiet.work('q1', 5);
    const { sessions } = await listed(repository);
    expect(sessions.map(({ session, state }: Record<string, string>) => [session, state])).toEqual([
      [ID, 'open'],
      [CUT, 'interrupted'],
      ['quiet-1', 'ended'],
    ]);
    expect(sessions[0].ended).toBeNull();
    expect((await listed(repository, '--state', 'interrupted')).sessions[0].session).toBe(CUT);
    expect((await listed(repository, '--host', 'codex')).total).toBe(0);
    expect((await listed(repository, '--since', '2099')).total).toBe(0);
    expect((await listed(repository, '--branch', 'main', '--limit', '1')).sessions).toHaveLength(1);
    // A resumed session goes on.
    hookedSession(repository.root, { id: CUT, at: new Date(Date.now() - 5000) }).chat('k3');
    expect((await listed(repository)).sessions.find(({ session }: { session: string }) => session === CUT).state).toBe(
      'open',
    );
  });

  it('shows a session in its first turn, without the words that nobody redacted yet', async ({ repository }) => {
    hookedSession(repository.root, { id: CUT, at: new Date(Date.now() - 60_000) }).prompt('k1', 'look at the exporter');
    const { sessions } = JSON.parse((await gitMem(repository, ['sessions', '--json'])).stdout);
    expect(sessions).toMatchObject([{ session: CUT, state: 'open', branch: 'main', prompts: 1, ended: null }]);
    expect((await gitMem(repository, ['sessions'])).stdout).toMatch(
      /^7a0c1111 \S+ \S+ open .*Its first turn is not read yet {2}\[1 prompt/,
    );
    expect((await gitMem(repository, ['sessions', 'show', 'last'])).stdout).not.toContain('exporter');
    const quiet = hookedSession(repository.root, { id: ID, at: new Date(Date.now() - 7_200_000) });
    const state = async () => JSON.parse((await gitMem(repository, ['sessions', '--json'])).stdout).sessions[1].state;
    quiet.prompt('q1', 'look at the importer');
    expect(await state()).toBe('interrupted');
    quiet.stop('q1', 'It is right.');
    expect(await state()).toBe('ended');
  });

  it('tells the story of one: turns, commits, files, records', async ({ repository }) => {
    finished(repository);
    await listed(repository);
    const { stdout } = await gitMem(repository, ['sessions', 'show', '6593']);
    expect(stdout).toContain('1. the importer drops row 7');
    expect(stdout).toMatch(/2\. commit it\n {2}commit [0-9a-f]{8} Raise the limit/);
    const told = JSON.parse((await gitMem(repository, ['sessions', 'show', 'last', '--json'])).stdout);
    expect(told.turns).toHaveLength(2);
    expect(told.commits[0].subject).toBe('Raise the limit');
    const wrong = await gitMem(repository, ['sessions', 'show', 'nothing']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('`git mem sessions` lists them')]);
  });

  it('names one by a whole sentence of its request, where one is short enough', async ({ repository }) => {
    const session = hookedSession(repository.root);
    session.prompt(
      't1',
      'Compute the price in whole cents only, never in floats. Then add a test for a price of zero.',
    );
    session.stop('t1', 'Done.');
    session.end();
    expect((await listed(repository)).sessions[0].title).toBe('Compute the price in whole cents only, never in floats');
  });

  it('has nothing to tell where no session was', async () => {
    expect((await gitMem(setUp(), ['sessions'])).stderr).toBe('No sessions.\n');
  });

  it('shows nothing of a redacted request', async ({ repository }) => {
    finished(repository);
    await listed(repository);
    const { records } = JSON.parse((await gitMem(repository, ['list', '--kind', 'prompt,summary', '--json'])).stdout);
    for (const { id } of records) await gitMem(repository, ['redact', id]);
    const { stdout } = await gitMem(repository, ['sessions', 'show', 'last']);
    expect(stdout).not.toContain('commit it');
    expect((await gitMem(repository, ['sessions'])).stdout).not.toContain('please find out why');
  });
});

it('a timeline of a session has all that it left, on the command line and over MCP', async ({ repository }) => {
  await setModel(repository);
  finished(repository);
  const quiet = hookedSession(repository.root, { id: 'quiet-1-session', at: new Date('2026-11-19T10:00:00Z') });
  quiet.work('q1', 5);
  quiet.end();
  await listed(repository);
  const { items } = JSON.parse((await gitMem(repository, ['timeline', '65939976', '--json'])).stdout);
  expect(items.length).toBeGreaterThan(0);
  expect(items.every(({ session }: { session: string }) => session === ID)).toBe(true);
  const server = await connectMcpHere({ ...repository, cwd: repository.root });
  const { data } = await server.call('timeline', { anchor: ID });
  await server.close();
  expect(data.items).toHaveLength(items.length);
});

it('an export leaves out digests of sessions', async ({ repository }) => {
  finished(repository);
  await listed(repository);
  const lines = (await gitMem(repository, ['export'])).stdout.trim().split('\n');
  // What a session did stays in its clone.
  expect(lines.map((line) => JSON.parse(line).type)).not.toContain('digest');
});
