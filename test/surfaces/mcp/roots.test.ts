import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { hookedSession } from '../../support/hooked-session.ts';
import { createMemory, ERAS, it, JITTER, reviewedForAllTests, serve, start } from './served-memory.ts';

const reviewed = reviewedForAllTests();

describe.each(ERAS)('the memory that a client of %s gets', (era) => {
  it('is that of the root, which is asked for with every call: worktrees never get each other’s', async () => {
    const { repository } = createMemory();
    const other = join(repository.folder, 'other');
    repository.git('worktree', 'add', '--quiet', '-b', 'feature', other);
    let root = repository.root;
    const server = await serve(repository, { era, cwd: repository.folder, roots: () => [root] });
    const save = (title: string) => server.call('save_observation', { title, type: 'decision' });
    const search = async () => {
      const { data } = await server.call('search', { query: 'worktree' });
      return data.hits.map(({ title }: { title: string }) => title);
    };
    await save('Made in the main worktree');
    root = join(other, '.memory');
    expect(await search()).toEqual([]);
    const { data } = await save('Made in the other worktree');
    expect(readFileSync(join(other, data.path), 'utf8')).toContain('Made in the other worktree');
    expect(await search()).toEqual(['Made in the other worktree']);
    root = repository.root;
    expect(await search()).toEqual(['Made in the main worktree']);
    renameSync(other, `${other}-moved`);
    root = other;
    expect(await server.call('search', { query: 'worktree' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no folder'),
    });
  });

  it('is that of where the server was started, when the client sends no root', async () => {
    const { repository } = reviewed();
    const there = { cwd: join(repository.root, '.memory'), query: { query: 'jitter' } };
    for (const roots of [undefined, () => []]) {
      const server = await serve(repository, { era, cwd: there.cwd, ...(roots && { roots }) });
      expect((await server.call('search', there.query)).data.hits[0].title).toBe(JITTER);
    }
    const outside = await serve(repository, { era, cwd: repository.folder });
    expect(await outside.call('search', there.query)).toMatchObject({
      isError: true,
      text: expect.stringContaining('is not inside a git checkout'),
    });
    const pointed = await start(repository, { era, cwd: repository.folder, args: ['-C', 'repository', 'mcp'] });
    expect((await pointed.call('search', there.query)).data.hits[0].title).toBe(JITTER);
  });
});

it('several roots give the memory of the one where the server was started', async ({ world: { repository } }) => {
  const roots = () => [repository.folder, join(repository.folder, 'second'), repository.root];
  execFileSync('git', ['init', '--quiet', join(repository.folder, 'second')]);
  mkdirSync(join(repository.folder, 'second/.memory'));
  const server = await serve(repository, { roots });
  expect((await server.call('search', { query: 'jitter' })).data.hits[0].title).toBe(JITTER);
  const elsewhere = await serve(repository, { roots, cwd: repository.folder });
  expect((await elsewhere.call('search', { query: 'jitter' })).data.total).toBe(0);
});

it('says once where Claude Code runs none of the committed hooks, as it was started below the top', async ({
  repository,
}) => {
  await repository.call('init', '--yes', '--host', 'claude-code');
  const packages = join(repository.root, 'packages');
  mkdirSync(packages);
  const env = { ...repository.env, CLAUDECODE: '1' };
  const notes = async (cwd: string) => {
    const { call } = await serve({ ...repository, env }, { cwd });
    const answers = [await call('search', { q: 'limits' }), await call('search', { query: 'limits' })];
    return answers.map(({ data }) => data.note);
  };
  expect(await notes(packages)).toEqual([
    expect.stringMatching(
      /^Taken: `q` as `query`\. No git-mem hooks run in this session, .* in \/.*\. Tell the user once\.$/,
    ),
    undefined,
  ]);
  expect(await notes(repository.root)).toEqual(['Taken: `q` as `query`.', undefined]);
  // As the plugin's do.
  hookedSession(repository.root, { id: 's1', at: new Date() }).prompt('p1', 'what is the limit?');
  expect(await notes(packages)).toEqual(['Taken: `q` as `query`.', undefined]);
});
