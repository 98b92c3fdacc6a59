import { utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { queryIfWarm, warm } from '../../src/index/warm.ts';
import { itSqlite } from '../support/sqlite.ts';
import { observation, type Scratch, scratch } from './scratch.ts';

let store: Scratch;
beforeEach(() => {
  store = scratch();
});
afterEach(() => store.remove());

const titles = () =>
  queryIfWarm(store.workspace, 'all', (index) => [...index.newest()].map(({ card }) => card.title).sort());

/** As if the folder had been left alone for a while. */
const settle = (path: string) =>
  utimesSync(dirname(path), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));

describe('a cache that is queried only where that is fast', () => {
  it('indexes a few records by itself', async () => {
    expect(await titles()).toEqual([]);
    settle(store.write(observation('One')));
    expect(await titles()).toEqual(['One']);
    store.write(observation('Two'));
    expect(await titles()).toEqual(['One', 'Two']);
  });

  itSqlite('leaves many new records to the drain', async () => {
    for (let i = 0; i < 201; i++) store.write(observation(`Record ${i}`));
    expect(await titles()).toBeUndefined();
    await warm(store.workspace);
    expect(await titles()).toHaveLength(201);
    store.write(observation('One more'));
    expect(await titles()).toHaveLength(202);
  });

  it('gives no answer with many records where no drain can persist them', async () => {
    const { workspace, write, remove } = scratch({ GIT_MEM_CACHE: 'minisearch' });
    onTestFinished(remove);
    const count = () => queryIfWarm(workspace, 'all', (index) => [...index.newest()].length);
    for (let i = 0; i < 200; i++) write(observation(`Record ${i}`));
    expect(await count()).toBe(200);
    write(observation('One more'));
    await warm(workspace);
    expect(await count()).toBeUndefined();
  });

  it('checks no record where no folder changed, and all where one did', async () => {
    const one = store.write(observation('One'));
    settle(one);
    await warm(store.workspace);
    expect(await titles()).toEqual(['One']);
    const at = new Date(Date.now() - 60_000);
    store.write(observation('Two'));
    expect(await titles()).toEqual(['One', 'Two']);
    utimesSync(dirname(one), at, at);
    expect(await titles()).toEqual(['One', 'Two']);
  });
});
