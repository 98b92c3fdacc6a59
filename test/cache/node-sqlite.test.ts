import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCache } from '../../src/recall/index/cache.ts';
import { cachePath } from '../../src/recall/index/open.ts';
import { searchIndex } from '../../src/recall/search/search.ts';
import { describeNodeSqlite, itSqlite, openNodeDatabase } from '../support/sqlite.ts';
import { ask, fill } from './asking.ts';
import { type Scratch, scratch } from './scratch.ts';

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
});
afterEach(() => repo.remove());

describeNodeSqlite('the cache in node:sqlite', () => {
  const env = { GIT_MEM_CACHE: 'node:sqlite' };

  it('persists across processes, and names its engine', async () => {
    fill(repo, 3);
    const expected = { kind: 'sqlite', engine: 'node:sqlite', persistent: true };
    expect(await ask(repo, 'topic1', env)).toMatchObject({ titles: ['record number1'], state: expected });
    const cache = openCache({ ...repo.workspace, env });
    expect(await cache.query((_, report) => report)).toMatchObject({ added: 0 });
    cache.close();
  });

  it.each(['head', 'whole'])('is rebuilt from the files when it is damaged: %s', async (what) => {
    fill(repo, 3);
    await ask(repo, 'topic1', env);
    const bytes = readFileSync(cachePath(repo.workspace));
    bytes.fill(0x5a, 0, what === 'head' ? 100 : bytes.length);
    writeFileSync(cachePath(repo.workspace), bytes);
    expect(await ask(repo, 'topic2', env)).toMatchObject({ titles: ['record number2'], state: { persistent: true } });
  });

  it('waits for another process’s lock no longer than allowed, then answers from memory', async () => {
    fill(repo, 2);
    await ask(repo, 'topic0', env);
    const other = openNodeDatabase(cachePath(repo.workspace));
    other.exec('BEGIN IMMEDIATE');
    fill(repo, 3);
    const cache = openCache({ ...repo.workspace, env }, { busyMs: 1 });
    const titles = await cache.query((index) =>
      searchIndex(index, { text: 'topic2', limit: 5 }).hits.map(({ document }) => document.card.title),
    );
    expect({ titles, persistent: cache.state()?.persistent }).toEqual({
      titles: ['record number2'],
      persistent: false,
    });
    cache.close();
    other.close();
  });

  itSqlite('reads what better-sqlite3 wrote, and vice versa', async () => {
    fill(repo, 3);
    for (const GIT_MEM_CACHE of ['better-sqlite3', 'node:sqlite', 'better-sqlite3']) {
      expect(await ask(repo, 'topic1', { GIT_MEM_CACHE })).toMatchObject({
        titles: ['record number1'],
        state: { engine: GIT_MEM_CACHE, persistent: true },
      });
    }
  });
});
