import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';
import { itSqlite } from '../../support/sqlite.ts';

describe('git mem sync', () => {
  itSqlite('says what changed and how long it took', async () => {
    const repository = createRepository();
    remember(repository, [{ id: 'aaaaaaaaaa' }, { id: 'bbbbbbbbbb' }]);
    expect((await gitMem(repository, ['sync'])).stdout).toMatch(
      /^2 files new or changed \(\d+ ms\)\.\n2 records in the cache, \d+ KB\.\n$/,
    );
    expect((await gitMem(repository, ['sync'])).stdout).toMatch(/^Nothing changed \(\d+ ms\)\.\n/);
    rmSync(join(repository.root, '.memory/observations'), { recursive: true });
    repository.write('.memory/observations/2026-11/20261120T100000Z-x-k3v9x2qd7m.md', 'no record');
    const { stdout, stderr } = await gitMem(repository, ['sync']);
    expect(stdout).toMatch(/^1 file new or changed, 2 gone/);
    expect(stderr).toMatch(/k3v9x2qd7m\.md: .+\n/);
  });

  itSqlite('rebuilds from nothing', async () => {
    const repository = createRepository();
    remember(repository, [{ id: 'aaaaaaaaaa' }]);
    await gitMem(repository, ['sync']);
    const result = JSON.parse((await gitMem(repository, ['sync', '--rebuild', '--json'])).stdout);
    expect(result).toMatchObject({ rebuilt: true, changed: 1, added: 1, gone: 0, problems: [] });
    expect(result.cache).toEqual({
      kind: 'sqlite',
      engine: 'better-sqlite3',
      persistent: true,
      documents: 1,
      size: expect.any(Number),
      reason: null,
    });
  });

  it('works without SQLite, and says so', async () => {
    const repository = createRepository();
    remember(repository, [{ id: 'aaaaaaaaaa', title: 'The gherkin is pickled' }]);
    const env = { GIT_MEM_CACHE: 'minisearch' };
    expect(await gitMem(repository, ['sync'], { env })).toMatchObject({
      stdout: expect.stringContaining('1 record in the cache, in memory only.'),
      stderr: 'MiniSearch: chosen by GIT_MEM_CACHE.\n',
    });
    expect((await gitMem(repository, ['search', 'gherkins'], { env })).stdout).toContain('The gherkin is pickled');
    expect((await gitMem(repository, ['status'], { env })).stdout).toContain(
      'Cache    1 record, MiniSearch, in memory only',
    );
  });

  it('answers when the cache is garbage', async () => {
    const repository = createRepository();
    remember(repository, [{ id: 'aaaaaaaaaa', title: 'The gherkin is pickled' }]);
    await gitMem(repository, ['sync']);
    writeFileSync(join(repository.root, '.git/git-mem/cache.sqlite'), 'garbage'.repeat(2000));
    expect(await gitMem(repository, ['search', 'gherkin'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pickled'),
    });
  });
});

describe('git mem status', () => {
  itSqlite('reports on the cache', async () => {
    const repository = createRepository();
    remember(repository, [{ id: 'aaaaaaaaaa' }]);
    expect(JSON.parse((await gitMem(repository, ['status', '--json'])).stdout).cache).toEqual({
      kind: 'sqlite',
      engine: 'better-sqlite3',
      persistent: true,
      documents: 1,
      size: expect.any(Number),
      reason: null,
    });
    expect((await gitMem(repository, ['status'])).stdout).toMatch(/^Cache {4}1 record, SQLite, \d+ KB$/m);
  });
});
