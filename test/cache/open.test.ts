import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCache } from '../../src/recall/index/cache.ts';
import { cachePath, openIndex } from '../../src/recall/index/open.ts';
import { searchIndex } from '../../src/recall/search/search.ts';
import { describeNodeSqlite, ENGINE, itSqlite, openDatabase, openNodeDatabase } from '../support/sqlite.ts';
import { SEED, trials } from '../support/trials.ts';
import { observation, type Scratch, scratch } from './scratch.ts';

const run = promisify(execFile);

/** A process of its own that asks the cache one question: arguments are the repository and the question. */
const asker = join(mkdtempSync(resolve('node_modules', '.git-mem-asker-')), 'asker.mjs');
await build({
  stdin: {
    contents: `
      import { openCache } from './src/recall/index/cache.ts';
      import { openWorkspace } from './src/memory/store/workspace.ts';
      import { searchIndex } from './src/recall/search/search.ts';
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

async function ask(text: string, env: Record<string, string> = {}) {
  const cache = openCache({ ...repo.workspace, env });
  try {
    const titles = await cache.query((index) =>
      searchIndex(index, { text, limit: 5 }).hits.map(({ document }) => document.card.title),
    );
    return { titles, state: cache.state() };
  } finally {
    cache.close();
  }
}

function fill(count: number): void {
  for (let i = 0; i < count; i++) {
    repo.write(
      observation(`record number${i}`, {
        narrative: `It speaks of topic${i} and little else.`,
        files_modified: [`src/f${i}.ts`],
      }),
    );
  }
}

describeNodeSqlite('the cache in node:sqlite', () => {
  const env = { GIT_MEM_CACHE: 'node:sqlite' };

  it('survives the process, and says what holds it', async () => {
    fill(3);
    const expected = { kind: 'sqlite', engine: 'node:sqlite', persistent: true };
    expect(await ask('topic1', env)).toMatchObject({ titles: ['record number1'], state: expected });
    const cache = openCache({ ...repo.workspace, env });
    expect(await cache.query((_, report) => report)).toMatchObject({ added: 0 });
    cache.close();
  });

  it.each(['head', 'whole'])('is made again from the files when it is damaged: %s', async (what) => {
    fill(3);
    await ask('topic1', env);
    const bytes = readFileSync(cachePath(repo.workspace));
    bytes.fill(0x5a, 0, what === 'head' ? 100 : bytes.length);
    writeFileSync(cachePath(repo.workspace), bytes);
    expect(await ask('topic2', env)).toMatchObject({ titles: ['record number2'], state: { persistent: true } });
  });

  it('waits for the lock of another process no longer than it is told, and answers from memory', async () => {
    fill(2);
    await ask('topic0', env);
    const other = openNodeDatabase(cachePath(repo.workspace));
    other.exec('BEGIN IMMEDIATE');
    fill(3);
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

  itSqlite('reads what better-sqlite3 wrote, and the other way round', async () => {
    fill(3);
    for (const GIT_MEM_CACHE of ['better-sqlite3', 'node:sqlite', 'better-sqlite3']) {
      expect(await ask('topic1', { GIT_MEM_CACHE })).toMatchObject({
        titles: ['record number1'],
        state: { engine: GIT_MEM_CACHE, persistent: true },
      });
    }
  });
});

describe('the cache', () => {
  itSqlite('lies in the state folder and survives the process', async () => {
    fill(3);
    expect(await ask('topic1')).toMatchObject({
      titles: ['record number1'],
      state: { kind: 'sqlite', persistent: true },
    });
    expect(statSync(cachePath(repo.workspace)).size).toBeGreaterThan(0);
    const cache = openCache(repo.workspace);
    expect(await cache.query((_, report) => report)).toMatchObject({ added: 0 });
    cache.close();
  });

  itSqlite.each([
    ['of another version', () => openDatabase(cachePath(repo.workspace)).pragma('application_id = 99')],
    [
      "that is somebody else's database",
      () => openDatabase(cachePath(repo.workspace)).exec('DROP TABLE meta; DROP TABLE documents'),
    ],
    ['that is no database', () => writeFileSync(cachePath(repo.workspace), 'not a database '.repeat(1000))],
    ['that is empty', () => writeFileSync(cachePath(repo.workspace), '')],
    [
      'that was cut short',
      () => writeFileSync(cachePath(repo.workspace), readFileSync(cachePath(repo.workspace)).subarray(0, 9000)),
    ],
    ['whose log is garbage', () => writeFileSync(`${cachePath(repo.workspace)}-wal`, 'garbage'.repeat(5000))],
  ])('is rebuilt from one %s', async (_, damage) => {
    fill(3);
    await ask('topic1');
    damage();
    expect(await ask('topic1')).toMatchObject({ titles: ['record number1'], state: { persistent: true } });
    expect(await ask('topic2')).toMatchObject({ titles: ['record number2'] });
  });

  itSqlite('answers as before whatever byte was damaged', async () => {
    fill(60);
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

  itSqlite('keeps what it has where nothing was damaged', async () => {
    fill(60);
    await ask('topic1');
    repo.write(observation('late', { narrative: 'latecomer' }));
    await ask('latecomer');
    const { ino } = statSync(cachePath(repo.workspace));
    await ask('topic1');
    expect(statSync(cachePath(repo.workspace)).ino).toBe(ino);
    const db = openDatabase(cachePath(repo.workspace));
    expect(db.pragma('user_version', { simple: true })).not.toBe(0);
    db.close();
  });

  itSqlite('answers from memory where its file cannot be made', async () => {
    fill(2);
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
    expect(await ask('topic0')).toMatchObject({ titles: ['record number0'], state: { persistent: false } });
  });

  it('answers on a full disk, and from what it had before', async () => {
    fill(200);
    // The limit stops every file of the process at 64 blocks, as a full disk would.
    const limited = (text: string) =>
      run('sh', ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, asker, repo.workspace.checkout.root, text]);
    expect(JSON.parse((await limited('topic7')).stdout)).toMatchObject({
      titles: ['record number7'],
      state: { persistent: false },
    });
    await ask('topic7');
    repo.write(observation('late', { narrative: 'latecomer' }));
    expect(JSON.parse((await limited('latecomer')).stdout)).toMatchObject({ titles: ['late'] });
  });

  it('answers two processes that fill it at once', async () => {
    fill(150);
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

  it('answers through MiniSearch where SQLite is not to be had', async () => {
    fill(5);
    const { titles, state } = await ask('topic3', { GIT_MEM_CACHE: 'minisearch' });
    expect(titles).toEqual(['record number3']);
    expect(state).toMatchObject({ kind: 'minisearch', persistent: false });
  });

  // Up to 20 s under load: it takes more records than a cache keeps of its own accord, twice.
  itSqlite('drops what no checkout has once it outweighs the rest', async () => {
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
