import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openCache, steadyCache } from '../../src/index/cache.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { remember } from '../support/command.ts';
import { createRepository } from '../support/repository.ts';

// How long ago it looked decides whether it looks again: time goes on only where a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A cache whose syncs are counted, over a memory whose folders settled long ago and whose syncs all count as slow. */
function createSteady({ quickMs = -1 } = {}) {
  const repository = createRepository();
  remember(repository, [{ id: 'aaaaaaaaaa', title: 'One' }]);
  const { root, env } = repository;
  const workspace = openWorkspace(root, env);
  const month = join(root, '.memory/observations/2026-11');
  const settle = () => {
    for (const folder of [month, join(root, '.memory/observations')]) utimesSync(folder, 1e9 + 0.5, 1e9 + 0.5);
  };
  settle();
  const plain = openCache(workspace);
  let syncs = 0;
  const counting: typeof plain = {
    ...plain,
    query(use) {
      syncs++;
      return plain.query(use);
    },
  };
  const cache = steadyCache(workspace, counting, { quickMs });
  onTestFinished(() => cache.close());
  const titles = () => cache.query((index) => [...index.newest()].map(({ card }) => card.title));
  return { repository, month, settle, cache, titles, syncs: () => syncs };
}

describe('the steady cache', () => {
  it('syncs once for many queries', async () => {
    const { titles, syncs } = createSteady();
    for (let i = 0; i < 20; i++) expect(await titles()).toEqual(['One']);
    expect(syncs()).toBe(1);
  });

  it('syncs again when a record was added or removed', async () => {
    const { repository, month, titles } = createSteady();
    expect(await titles()).toEqual(['One']);
    remember(repository, [{ id: 'bbbbbbbbbb', title: 'Two' }]);
    expect((await titles()).sort()).toEqual(['One', 'Two']);
    for (const name of readdirSync(month)) rmSync(join(month, name));
    expect(await titles()).toEqual([]);
  });

  it('sees an edit in place at once where syncs are fast', async () => {
    const { month, titles } = createSteady({ quickMs: 60_000 });
    expect(await titles()).toEqual(['One']);
    writeFileSync(join(month, readdirSync(month)[0] ?? ''), '---\ntitle: "Edited"\n---\n');
    expect(await titles()).toEqual(['Edited']);
  });

  it('sees an edit in place after a while', async () => {
    const { month, titles, syncs } = createSteady();
    await titles();
    writeFileSync(join(month, readdirSync(month)[0] ?? ''), '---\ntitle: "Edited"\n---\n');
    expect(await titles()).toEqual(['One']);
    vi.setSystemTime(Date.now() + 1001);
    expect(await titles()).toEqual(['Edited']);
    expect(syncs()).toBe(2);
  });

  it('falls back to the cache when the index fails', async () => {
    const { cache, titles, syncs } = createSteady();
    await titles();
    let calls = 0;
    const answer = await cache.query(() => {
      if (++calls === 1) throw new Error('torn');
      return 'mended';
    });
    expect([answer, calls, syncs()]).toEqual(['mended', 2, 2]);
    const broken = cache.query(() => {
      throw new Error('always');
    });
    await expect(broken).rejects.toThrow('always');
  });
});
