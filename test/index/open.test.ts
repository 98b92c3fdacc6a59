import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../src/index/cache.ts';
import { cachePath, openIndex } from '../../src/index/open.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { describeSqlite, ENGINE, itSqlite, openDatabase } from '../support/sqlite.ts';
import { SEED, trials } from '../support/trials.ts';
import { ask, fill } from './asking.ts';
import { observation, type Scratch, scratch } from './scratch.ts';

const run = promisify(execFile);

/** A process of its own that asks the cache one question: arguments are the repository and the question. */
const asker = join(mkdtempSync(resolve('node_modules', '.git-mem-asker-')), 'asker.mjs');
await build({
  stdin: {
    contents: `
      import { openCache } from './src/index/cache.ts';
      import { openWorkspace } from './src/memory/store/workspace.ts';
      import { searchIndex } from './src/search/search-index.ts';
      const [root, text] = process.argv.slice(2);
      const cache = openCache(openWorkspace(root, process.env));
      const hits = await cache.query((index) => searchIndex(index, { text, limit: 5 }).hits);
      console.log(JSON.stringify({ titles: hits.map(({ document }) => document.card.title), state: cache.state() }));
      cache.close();
    `,
    resolveDir: resolve('.'),
    loader: 'ts',
  },
  // Packages stay outside, so that the native one is found; hence the place under node_modules.
  outfile: asker,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
});
afterAll(() => rmSync(dirname(asker), { recursive: true, force: true }));

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
});
afterEach(() => repo.remove());

describeSqlite('the cache in a file', () => {
  it('writes after another process has written', async () => {
    fill(repo, 3);
    const cache = openCache(repo.workspace);
    await cache.write((index) => {
      expect(index.meta('note')).toBeUndefined();
      const other = openDatabase(cachePath(repo.workspace));
      other.exec("INSERT OR REPLACE INTO meta VALUES ('other', 'written')");
      other.close();
      index.setMeta('note', 'written');
    });
    expect(await cache.query((index) => [index.meta('note'), index.meta('other')])).toEqual(['written', 'written']);
    expect(cache.state()).toMatchObject({ engine: 'better-sqlite3', persistent: true });
    cache.close();
  });

  it('is in the state folder and persists across processes', async () => {
    fill(repo, 3);
    const state = { kind: 'sqlite', engine: 'better-sqlite3', persistent: true };
    expect(await ask(repo, 'topic1')).toMatchObject({ titles: ['record number1'], state });
    expect(statSync(cachePath(repo.workspace)).size).toBeGreaterThan(0);
    const cache = openCache(repo.workspace);
    expect(await cache.query((_, report) => report)).toMatchObject({ added: 0 });
    cache.close();
  });

  it.each<[string, (path: string) => unknown]>([
    ['of another version', (path) => openDatabase(path).pragma('application_id = 99')],
    ["that is somebody else's database", (path) => openDatabase(path).exec('DROP TABLE meta; DROP TABLE documents')],
    ['that is no database', (path) => writeFileSync(path, 'not a database '.repeat(1000))],
    ['that is empty', (path) => writeFileSync(path, '')],
    ['that was cut short', (path) => writeFileSync(path, readFileSync(path).subarray(0, 9000))],
    ['whose head is overwritten', (path) => writeFileSync(path, readFileSync(path).fill(0x5a, 0, 100))],
    ['that is overwritten', (path) => writeFileSync(path, readFileSync(path).fill(0x5a))],
    ['whose log is garbage', (path) => writeFileSync(`${path}-wal`, 'garbage'.repeat(5000))],
  ])('is rebuilt from one %s', async (_, damage) => {
    fill(repo, 3);
    await ask(repo, 'topic1');
    damage(cachePath(repo.workspace));
    expect(await ask(repo, 'topic1')).toMatchObject({ titles: ['record number1'], state: { persistent: true } });
    expect(await ask(repo, 'topic2')).toMatchObject({ titles: ['record number2'] });
  });

  it('waits for another process’s lock no longer than allowed, then answers from memory', async () => {
    fill(repo, 2);
    await ask(repo, 'topic0');
    const other = openDatabase(cachePath(repo.workspace));
    other.exec('BEGIN IMMEDIATE');
    fill(repo, 3);
    const cache = openCache(repo.workspace, { busyMs: 1 });
    expect(await cache.query((index) => searchIndex(index, { text: 'topic2', limit: 5 }).hits)).toMatchObject([
      { document: { card: { title: 'record number2' } } },
    ]);
    expect(cache.state()).toMatchObject({ persistent: false });
    cache.close();
    other.close();
  });
});

describe('the cache', () => {
  itSqlite('answers as before whichever byte was damaged', async () => {
    fill(repo, 60);
    const questions = ['topic1', 'number7 little', 'speaks of topic33', 'f12.ts'];
    const answers = async () => {
      const cache = openCache(repo.workspace);
      try {
        return await cache.query((index) =>
          questions.map((text) =>
            searchIndex(index, { text, limit: 5 }).hits.map(({ document, score }) => [
              index.pathOf(document.row),
              document.card.title,
              score,
            ]),
          ),
        );
      } finally {
        cache.close();
      }
    };
    const before = await answers();
    const whole = readFileSync(cachePath(repo.workspace));
    let seed = SEED;
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed / 2 ** 32;
    };
    const wrong: number[] = [];
    const inHeader = trials(20);
    for (let i = 0; i < inHeader + trials(100); i++) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(random() * (i < inHeader ? 100 : bytes.length));
      bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(random() * 255));
      for (const suffix of ['-wal', '-shm']) rmSync(cachePath(repo.workspace) + suffix, { force: true });
      writeFileSync(cachePath(repo.workspace), bytes);
      if (!isDeepStrictEqual(await answers(), before)) wrong.push(at);
    }
    expect(wrong, 'places of the damage').toEqual([]);
  });

  itSqlite('keeps its contents where nothing was damaged', async () => {
    fill(repo, 60);
    await ask(repo, 'topic1');
    repo.write(observation('late', { narrative: 'latecomer' }));
    await ask(repo, 'latecomer');
    const { ino } = statSync(cachePath(repo.workspace));
    await ask(repo, 'topic1');
    expect(statSync(cachePath(repo.workspace)).ino).toBe(ino);
    const db = openDatabase(cachePath(repo.workspace));
    expect(db.pragma('user_version', { simple: true })).not.toBe(0);
    db.close();
  });

  itSqlite('answers from memory where its file cannot be created', async () => {
    fill(repo, 2);
    mkdirSync(join(cachePath(repo.workspace), 'in-the-way'), { recursive: true });
    const blocked = {
      ...repo.workspace,
      layout: { ...repo.workspace.layout, state: join(repo.workspace.checkout.root, '.git/HEAD/state') },
    };
    const cache = openCache(blocked);
    const found = await cache.query((index) => searchIndex(index, { text: 'topic1', limit: 5 }).hits.length);
    expect(found).toBe(1);
    expect(cache.state()).toMatchObject({ kind: 'sqlite', persistent: false });
    expect(cache.state()?.reason).toMatch(/^In memory only: /);
    cache.close();
    expect(await ask(repo, 'topic0')).toMatchObject({ titles: ['record number0'], state: { persistent: false } });
  });

  it('answers on a full disk, with and without an existing cache', async () => {
    fill(repo, 200);
    // The limit stops every file of the process at 64 blocks, as a full disk would.
    const limited = (text: string) =>
      run('sh', ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, asker, repo.workspace.checkout.root, text]);
    expect(JSON.parse((await limited('topic7')).stdout)).toMatchObject({
      titles: ['record number7'],
      state: { persistent: false },
    });
    await ask(repo, 'topic7');
    repo.write(observation('late', { narrative: 'latecomer' }));
    expect(JSON.parse((await limited('latecomer')).stdout)).toMatchObject({ titles: ['late'] });
  });

  it('answers two processes that fill it at once', async () => {
    fill(repo, 150);
    const asks = ['topic3', 'topic4', 'topic5'].map((text) =>
      run(process.execPath, [asker, repo.workspace.checkout.root, text]),
    );
    const answers = (await Promise.all(asks)).map(({ stdout }) => JSON.parse(stdout).titles);
    expect(answers).toEqual([['record number3'], ['record number4'], ['record number5']]);
    const { index } = await openIndex(repo.workspace);
    // MiniSearch lives with its process and leaves nothing to the next one.
    expect(index.statistics([]).documents).toBe(ENGINE === 'minisearch' ? 0 : 150);
    index.close();
  });

  it('answers through MiniSearch where SQLite is not available', async () => {
    fill(repo, 5);
    const { titles, state } = await ask(repo, 'topic3', { GIT_MEM_CACHE: 'minisearch' });
    expect(titles).toEqual(['record number3']);
    expect(state).toMatchObject({ kind: 'minisearch', persistent: false });
  });

  // Up to 20 s under load: it takes more records than a cache keeps of its own accord, twice.
  itSqlite('drops records that no checkout has once they outweigh the rest', async () => {
    const cache = openCache(repo.workspace);
    for (let round = 0; round < 2; round++) {
      const paths = Array.from({ length: 1500 }, (_, i) => repo.write(observation(`round${round} ${i}`)));
      await cache.query(() => 0);
      for (const path of paths) rmSync(path);
      await cache.query(() => 0);
    }
    cache.close();
    const db = openDatabase(cachePath(repo.workspace));
    expect(db.prepare('SELECT count(*) FROM documents').pluck().get()).toBeLessThanOrEqual(2000);
    db.close();
  });
});
