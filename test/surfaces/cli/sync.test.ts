import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
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
});

itSqlite('git mem status reports on the cache', async () => {
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
