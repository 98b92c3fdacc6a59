import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache } from '../../src/index/cache.ts';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { countActive, listNewest } from '../../src/search/listing.ts';
import { search } from '../../src/search/search.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, edit, markOf, put } from '../support/written-records.ts';

/** Enough that a question looks at folders' times only. */
const COUNT = 1100;

const newest = generatedObservation(COUNT - 1);

describe('a listing of a large store', () => {
  let repository: TestRepository;
  let atEnd: () => void;
  beforeAll(() => {
    repository = createRepository('repository', (remove) => {
      atEnd = remove;
    });
    for (let i = 0; i < COUNT; i++) drop(repository, generatedObservation(i));
    repository.commit('Memory');
    settle(repository);
  });
  afterAll(() => atEnd());

  it('matches a search for everything', async () => {
    const { listed, found } = await asked(repository);
    expect(listed.records.map(({ record }) => record.id)).toEqual(
      found.hits.map(({ annotated }) => annotated.record.id),
    );
    expect(listed.records[0]).toMatchObject({
      record: { id: newest.id },
      trust: 'reviewed',
      state: { retired: false },
    });
    expect(listed.total).toBe(found.total);
    expect(listed.total).toBe(COUNT);
  });

  it('is counted without git while nothing has changed', async () => {
    expect(await count(repository)).toEqual({ team: COUNT, private: 0, unreviewed: 0 });
    expect(await count({ ...repository, env: { ...repository.env, PATH: '' } })).toEqual(await count(repository));
  });

  it('shows a record that was edited in place a moment ago as it was reviewed', async () => {
    await asked(repository);
    edit(repository, newest, { ...newest, title: 'Edited by hand' });
    const { listed } = await asked(repository);
    expect(listed.records[0]).toMatchObject({ record: { id: newest.id, title: newest.title }, trust: 'edited' });
    edit(repository, newest, newest);
  });

  it('leaves out a record that another branch lacks, and counts as unreviewed one that the default branch lost', async () => {
    await count(repository);
    repository.git('switch', '--quiet', '-c', 'without');
    repository.git('rm', '--quiet', `.memory/${storePath(newest)}`);
    repository.git('commit', '--quiet', '-m', 'Without the newest');
    settle(repository);
    expect(await count(repository)).toEqual({ team: COUNT - 1, private: 0, unreviewed: 0 });
    repository.git('switch', '--quiet', 'main');
    settle(repository);
    expect(await count(repository)).toEqual({ team: COUNT, private: 0, unreviewed: 0 });
    const main = repository.git('rev-parse', 'main').trim();
    repository.git('update-ref', 'refs/heads/main', 'without');
    for (let i = 0; i < 2; i++) expect(await count(repository)).toEqual({ team: COUNT, private: 0, unreviewed: 1 });
    repository.git('update-ref', 'refs/heads/main', main);
    expect(await count(repository)).toEqual({ team: COUNT, private: 0, unreviewed: 0 });
  });

  it('counts new, retired and unreviewed records', async () => {
    await count(repository);
    drop(repository, { ...newest, id: idOf('strange'), title: "A stranger's" });
    put(repository, { ...newest, id: idOf('own'), title: 'Our own' }, 'private');
    put(repository, markOf({ id: idOf('mark'), type: 'retire', targets: [newest.id] }));
    settle(repository);
    const { listed, found } = await asked(repository);
    expect(await count(repository)).toEqual({ team: COUNT, private: 1, unreviewed: 1 });
    expect([listed.total, found.total]).toEqual([COUNT + 1, COUNT + 1]);
    expect(listed.records.map(({ record }) => record.id)).not.toContain(newest.id);
    expect(
      listed.records
        .slice(0, 2)
        .map(({ trust }) => trust)
        .sort(),
    ).toEqual(['own', 'unreviewed']);
  });
});

it('a listing of a small store sees every edit in place', async () => {
  const repository = createRepository();
  const path = put(repository, newest);
  settle(repository);
  expect(await count(repository)).toEqual({ team: 1, private: 0, unreviewed: 0 });
  const text = readFileSync(join(repository.root, path), 'utf8');
  writeFileSync(join(repository.root, path), text.slice(4));
  expect(await count(repository)).toEqual({ team: 0, private: 0, unreviewed: 0 });
  writeFileSync(join(repository.root, path), encode(newest));
  expect(await count(repository)).toEqual({ team: 1, private: 0, unreviewed: 0 });
});

/** What a listing shows and what a search for anything finds, in this order. */
async function asked({ root, env }: TestRepository) {
  const workspace = openWorkspace(root, env);
  const cache = openCache(workspace);
  try {
    const listed = await listNewest(workspace, cache, 30);
    return { listed, found: await search(workspace, cache, { text: '', limit: 30 }) };
  } finally {
    cache.close();
  }
}

async function count({ root, env }: TestRepository) {
  const workspace = openWorkspace(root, env);
  const cache = openCache(workspace);
  try {
    return await countActive(workspace, cache);
  } finally {
    cache.close();
  }
}

let settledMs = 1e9;

/** Gives the folders of records times that lie long ago, each of them another one than before. */
function settle({ root }: TestRepository): void {
  settledMs += 1;
  for (const store of ['.memory', '.git/git-mem/private']) {
    for (const kind of ['observations', 'marks']) {
      for (const month of ['.', ...namesIn(join(root, store, kind))]) touch(join(root, store, kind, month));
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No record of this kind.
  }
}

function touch(folder: string): void {
  try {
    utimesSync(folder, settledMs + 0.5, settledMs + 0.5);
  } catch {
    // No record of this kind.
  }
}
