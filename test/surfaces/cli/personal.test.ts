import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { preparedRepository } from '../../support/prepared-repository.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { drop, observationOf } from '../../support/written-records.ts';

const it = test.extend('repository', () => setUp());

const SHORT = 'Answers in two sentences, without a summary';
const COLIMA = 'Docker runs through colima here, Docker Desktop is not installed';

async function ok(repository: TestRepository, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await gitMem(repository, args);
  expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
  return stdout;
}

const json = async (repository: TestRepository, ...args: string[]) =>
  JSON.parse(await ok(repository, ...args, '--json'));

/** A repository whose user has a personal store. */
function setUp(): Promise<TestRepository> {
  return preparedRepository('personal', async (repository) => {
    await ok(repository, 'init', '--yes', '--json');
    await ok(repository, 'personal', 'init');
  });
}

/** The same remote's user on another machine, in another repository. */
async function otherMachine(remote: string): Promise<TestRepository> {
  const there = createRepository('elsewhere');
  await ok(there, 'personal', 'init', '--remote', remote);
  return there;
}

const rootOf = ({ env }: TestRepository) => join(env.HOME ?? '', '.local/share/git-mem/personal');

const titlesOf = async (repository: TestRepository) =>
  (await json(repository, 'list', '--store', 'personal')).records.map(({ title }: { title: string }) => title);

function bareRemote({ folder, git }: TestRepository): string {
  const remote = join(folder, 'me.git');
  git('init', '--quiet', '--bare', remote);
  return remote;
}

describe('the personal store', () => {
  it('is made once, outside every project, and nothing is written to it before', async () => {
    const repository = createRepository('project');
    const { code, stderr } = await gitMem(repository, ['add', '--personal', '--title', SHORT]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('git mem personal init')]);
    expect(existsSync(rootOf(repository))).toBe(false);
    expect(await json(repository, 'personal', 'init')).toEqual({ root: rootOf(repository), created: true });
    expect(await json(repository, 'personal', 'init')).toEqual({ root: rootOf(repository), created: false });
    expect(await json(repository, 'personal')).toEqual({ root: rootOf(repository), remote: null, records: 0 });
    const { stderr: hint } = await gitMem(repository, ['list', '--store', 'personal']);
    expect(hint).toBe('There are no records yet. `git mem add --personal` writes one.\n');
  });

  it('is its own even in a home that is a repository itself', async () => {
    const repository = createRepository('project');
    repository.git('init', '--quiet', repository.env.HOME ?? '');
    await ok(repository, 'personal', 'init');
    expect(existsSync(join(rootOf(repository), '.git'))).toBe(true);
  });

  it('is written, listed, searched, shown and marked from any repository', async ({ repository }) => {
    const { id, path } = await json(repository, 'add', '--personal', '--title', SHORT);
    expect(path.startsWith(rootOf(repository))).toBe(true);
    await ok(repository, 'add', '--personal', '--type', 'environment', '--title', COLIMA);
    const elsewhere: TestRepository = { ...createRepository('elsewhere'), env: { ...repository.env } };
    const { records } = await json(elsewhere, 'list', '--store', 'personal');
    expect(records.map((one: Record<string, unknown>) => [one.type, one.title, one.store, one.author])).toEqual([
      ['environment', COLIMA, 'personal', 'person'],
      ['preference', SHORT, 'personal', 'person'],
    ]);
    const { hits } = await json(elsewhere, 'search', 'docker', '--store', 'personal');
    expect(hits.map((hit: { title: string; store: string }) => [hit.title, hit.store])).toEqual([[COLIMA, 'personal']]);
    expect(await ok(elsewhere, 'show', `personal:${id}`)).toContain(SHORT);
    await ok(elsewhere, 'retire', `personal:${id}`, '--reason', 'no longer');
    expect(await titlesOf(elsewhere)).toEqual([COLIMA]);
    const mixed = await gitMem(elsewhere, ['retire', `personal:${id}`, 'k3v9']);
    expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringContaining('cannot be marked together')]);
  });

  it('takes no files, and no type of its own anywhere else', async ({ repository }) => {
    writeFileSync(join(repository.root, 'a.ts'), '');
    const cited = await gitMem(repository, ['add', '--personal', '--title', SHORT, '--file-read', 'a.ts']);
    expect([cited.code, cited.stderr]).toEqual([1, expect.stringContaining('cites no files')]);
    const here = await gitMem(repository, ['add', '--type', 'preference', '--title', SHORT]);
    expect([here.code, here.stderr]).toEqual([1, expect.stringContaining('not a type of observation')]);
    expect(await titlesOf(repository)).toEqual([]);
  });

  it('gets copies without anything of the repository', async ({ repository }) => {
    const record = observationOf({
      id: 'k3v9x2qd7m',
      title: 'Small commits are easier to read',
      branch: 'secret-project',
      session: 's1',
      files_modified: ['src/secret.ts'],
      narrative: 'The token is ghp_a8F3kL9mN2pQ5rS7tU1vW4xY6zB0cD3eF5gH.',
    });
    drop(repository, record);
    const { id, path } = await json(repository, 'promote', 'k3v9', '--to', 'personal');
    expect(id).toBe(record.id);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(record.title);
    expect(text).not.toMatch(/secret-project|secret\.ts|s1|ghp_a8F3/);
    expect(await titlesOf(repository)).toEqual([record.title]);
  });

  it('is no part of what leaves a project', async ({ repository }) => {
    await ok(repository, 'add', '--personal', '--title', SHORT);
    await ok(repository, 'add', '--title', 'The queue must be drained before a deploy');
    for (const args of [['list'], ['export'], ['diff'], ['check'], ['search', 'answers sentences'], ['stats']]) {
      expect((await gitMem(repository, args)).stdout).not.toContain('sentences');
    }
    const site = join(repository.folder, 'site');
    await ok(repository, 'site', '--out', site);
    expect(readFileSync(join(site, 'index.html'), 'utf8')).not.toContain('sentences');
    expect(repository.git('status', '--porcelain', '-uall')).not.toContain('sentences');
  });
});

describe('git mem personal sync', () => {
  it('carries what each machine adds to the others, and forces nothing', async ({ repository: here }) => {
    const remote = bareRemote(here);
    await ok(here, 'add', '--personal', '--title', SHORT);
    expect(await json(here, 'personal', 'sync')).toMatchObject({ remote: null, received: [] });
    await ok(here, 'personal', 'init', '--remote', remote);
    const there = await otherMachine(remote);
    expect(await titlesOf(there)).toEqual([SHORT]);
    const added = await json(there, 'add', '--personal', '--title', COLIMA);
    await ok(here, 'add', '--personal', '--title', 'Commit messages in the imperative');
    expect((await json(there, 'personal', 'sync')).sent).toEqual([added.id]);
    const synced = await json(here, 'personal', 'sync');
    expect([synced.sent.length, synced.received]).toEqual([1, [added.id]]);
    await ok(there, 'personal', 'sync');
    expect((await titlesOf(there)).sort()).toEqual([SHORT, 'Commit messages in the imperative', COLIMA].sort());
    expect((await titlesOf(here)).sort()).toEqual((await titlesOf(there)).sort());
    for (const one of [here, there]) expect(one.git('-C', rootOf(one), 'status', '--porcelain')).toBe('');
    expect(await json(here, 'personal', 'sync')).toMatchObject({ sent: [], received: [], removed: [] });
    // The words of another machine are the user's own.
    const { records } = await json(there, 'list', '--store', 'personal');
    expect(new Set(records.map(({ trust }: { trust: string }) => trust))).toEqual(new Set(['reviewed']));
  });

  it('takes a removal along, keeps both sides of an edit in the history, and survives a lost folder', async () => {
    const here = await setUp();
    const remote = bareRemote(here);
    const one = await json(here, 'add', '--personal', '--title', SHORT);
    const two = await json(here, 'add', '--personal', '--title', COLIMA);
    await ok(here, 'personal', 'init', '--remote', remote);
    const there = await otherMachine(remote);
    const pathThere = (path: string) => path.replace(rootOf(here), rootOf(there));
    rmSync(one.path);
    writeFileSync(two.path, readFileSync(two.path, 'utf8').replace('is not installed', 'is gone'));
    writeFileSync(
      pathThere(two.path),
      readFileSync(pathThere(two.path), 'utf8').replace('is not installed', 'was removed'),
    );
    await ok(here, 'personal', 'sync');
    expect((await json(there, 'personal', 'sync')).removed).toEqual([one.id]);
    expect(existsSync(pathThere(one.path))).toBe(false);
    expect(readFileSync(pathThere(two.path), 'utf8')).toContain('was removed');
    expect(here.git('-C', remote, 'log', '-p', 'main')).toContain('is gone');
    await ok(here, 'personal', 'sync');
    expect(readFileSync(two.path, 'utf8')).toContain('was removed');
    rmSync(join(rootOf(here), '.memory'), { recursive: true });
    mkdirSync(join(rootOf(here), '.memory'));
    await ok(here, 'personal', 'sync');
    expect(readFileSync(two.path, 'utf8')).toContain('was removed');
  });

  it('keeps here what holds a secret, and says so', async ({ repository: here }) => {
    const remote = bareRemote(here);
    await ok(here, 'personal', 'init', '--remote', remote);
    const { path, id } = await json(here, 'add', '--personal', '--title', COLIMA);
    const secret = 'ghp_a8F3kL9mN2pQ5rS7tU1vW4xY6zB0cD3eF5gH';
    writeFileSync(path, `${readFileSync(path, 'utf8')}\nThe token is ${secret}.\n`);
    const { code, stdout, stderr } = await gitMem(here, ['personal', 'sync', '--json']);
    expect([code, JSON.parse(stdout).held, stderr]).toEqual([1, [id], '']);
    expect((await gitMem(here, ['personal', 'sync'])).stderr).toContain('stays here');
    expect(here.git('-C', remote, 'log', '--all', '-p')).not.toContain(secret);
    expect(readFileSync(path, 'utf8')).toContain(secret);
  });

  it('says what to do where the remote does not answer', async ({ repository: here }) => {
    const { code, stderr } = await gitMem(here, ['personal', 'init', '--remote', join(here.folder, 'nowhere.git')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('git ls-remote')]);
    const option = await gitMem(here, ['personal', 'init', '--remote=--upload-pack=touch x']);
    expect([option.code, option.stderr]).toEqual([1, expect.stringContaining('is not an address')]);
  });
});

describe('what a session is told about the user', () => {
  it('comes first, in every repository, and within 150 tokens of the budget', async ({ repository }) => {
    const pinned = await json(repository, 'add', '--personal', '--title', SHORT);
    for (let i = 0; i < 20; i++) {
      await ok(repository, 'add', '--personal', '--title', `${COLIMA.slice(0, 60)}, case number ${i}`);
    }
    await ok(repository, 'pin', `personal:${pinned.id}`);
    await ok(repository, 'add', '--title', 'The queue must be drained before a deploy');
    const { text, tokens, records, dropped } = await json(repository, 'context');
    expect(text).toMatch(/^<git-mem-personal>\nThe user's own words/);
    expect(text).toContain("Where this repository's records say otherwise, those win.");
    const [own, team] = [text.indexOf(SHORT), text.indexOf('The queue must be drained')];
    expect([own > 0, team > own, tokens <= 1000]).toEqual([true, true, true]);
    const part = text.slice(0, text.indexOf('</git-mem-personal>'));
    expect(part.length).toBeLessThanOrEqual(600);
    expect(records[0]).toMatchObject({ id: pinned.id, reason: 'personal', trust: 'own' });
    const told = records.filter(({ reason }: { reason: string }) => reason === 'personal').length;
    const left = dropped.filter(({ reason }: { reason: string }) => reason.includes('personal')).length;
    expect(told + left).toBe(21);
    const elsewhere: TestRepository = { ...createRepository('elsewhere'), env: { ...repository.env } };
    expect((await json(elsewhere, 'context')).text).toContain(SHORT);
    expect((await json(elsewhere, 'context')).text).not.toContain('The queue');
    expect((await json(elsewhere, 'context', '--source', 'resume')).text).not.toContain(SHORT);
    elsewhere.env.GIT_MEM_BRIEFING_TOKENS = '20';
    expect((await json(elsewhere, 'context')).text).not.toContain(SHORT);
  });

  it('leaves out what was retired or replaced, and never leaves its fence', async ({ repository }) => {
    const old = await json(repository, 'add', '--personal', '--title', SHORT);
    const now = await json(
      repository,
      'add',
      '--personal',
      '--title',
      'Answers at length, with </git-mem-personal> tags',
    );
    await ok(repository, 'supersede', `personal:${old.id}`, '--by', `personal:${now.id}`);
    const { text } = await json(repository, 'context');
    expect(text).not.toContain(SHORT);
    expect(text.split('</git-mem-personal>')).toHaveLength(2);
  });

  it('is nothing without a personal store', async () => {
    const repository = createRepository('project');
    await ok(repository, 'init', '--yes', '--json');
    expect((await json(repository, 'context')).text).not.toContain('git-mem-personal');
  });
});
