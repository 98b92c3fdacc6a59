import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, reviewed, SECRET } from '../../support/branches.ts';
import { gitMem } from '../../support/command-line.ts';
import { diff, idsOf, news } from '../../support/record-changes.ts';
import { createRepository } from '../../support/repository.ts';
import { drop, observationOf } from '../../support/written-records.ts';

describe('the trees that git mem diff compares', () => {
  it('reads ranges as git does', async () => {
    const repository = reviewed();
    drop(repository, news);
    commit(repository, 'topic');
    repository.git('checkout', '--quiet', 'main');
    drop(repository, observationOf({ id: '0nma1n0000', title: 'Only on main' }));
    commit(repository, 'main');
    repository.git('checkout', '--quiet', 'topic');
    expect(idsOf((await diff(repository, 'main...topic')).deleted)).toEqual([]);
    expect(idsOf((await diff(repository, 'main..topic')).deleted)).toEqual(['0nma1n0000']);
    expect(idsOf((await diff(repository, 'main')).added)).toEqual([news.id]);
    expect(idsOf((await diff(repository, 'topic...main')).added)).toEqual(['0nma1n0000']);
    expect(idsOf((await diff(repository, 'main...')).added)).toEqual([news.id]);
  });

  const ranges = ['nowhere', '--all', 'main...nowhere', 'HEAD:src...HEAD', '--output=x..HEAD'];
  it.each(ranges)('says that %j names no commit', async (range) => {
    const { code, stderr } = await gitMem(reviewed(), ['diff', '--', range]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('names no commit') });
  });

  it('says that unrelated histories have nothing in common', async () => {
    const repository = reviewed();
    repository.git('checkout', '--quiet', '--orphan', 'lonely');
    commit(repository, 'lonely');
    const { code, stderr } = await gitMem(repository, ['diff', 'main...lonely']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('no commit in common') });
  });

  it('treats everything as new before the first commit', async () => {
    const repository = createRepository();
    drop(repository, news);
    expect(await diff(repository)).toMatchObject({ base: 'nothing', head: 'worktree', added: [{ id: news.id }] });
  });

  it('does not treat a tree that git cannot read as an empty one', async () => {
    const repository = reviewed();
    drop(repository, { ...news, narrative: SECRET });
    commit(repository, 'secret');
    const tree = repository.git('rev-parse', 'HEAD:.memory/observations').trim();
    rmSync(join(repository.root, '.git/objects', tree.slice(0, 2), tree.slice(2)), { force: true });
    const { code, stderr } = await gitMem(repository, ['diff', 'main...HEAD']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('git could not read') });
  });

  it('works inside a git hook, whose environment names another index', async () => {
    const repository = reviewed();
    drop(repository, news);
    const { stdout } = await gitMem(repository, ['diff', '--json'], {
      env: { GIT_INDEX_FILE: '/nowhere', GIT_DIR: '/nowhere' },
    });
    expect(idsOf(JSON.parse(stdout).added)).toEqual([news.id]);
  });
});
