import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openCache } from '../../src/index/cache.ts';
import { type WatchedChange, watchMemory } from '../../src/index/watch.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { remember } from '../support/command.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

/** Longest that a change may take to be noticed on a busy machine, in milliseconds. */
const PATIENCE = { timeout: 60_000, interval: 50 };

async function startWatching({ root, env }: TestRepository) {
  const workspace = openWorkspace(root, env);
  const cache = openCache(workspace);
  const changes: WatchedChange[] = [];
  const errors: unknown[] = [];
  const watching = await watchMemory(workspace, cache, {
    onChange: (change) => changes.push(change),
    onError: (error) => errors.push(error),
  });
  onTestFinished(async () => {
    await watching.close();
    cache.close();
    expect(errors).toEqual([]);
  });
  /** The titles of the next change, with their signs. */
  const next = async () => {
    await vi.waitFor(() => expect(changes.length).toBeGreaterThan(0), PATIENCE);
    const { added, edited, removed } = changes.shift() as WatchedChange;
    const signed = (sign: string, cards: { title: string }[]) => cards.map(({ title }) => `${sign} ${title}`);
    return [...signed('+', added), ...signed('~', edited), ...signed('-', removed)].sort();
  };
  return { watching, changes, next };
}

describe('watch', () => {
  it('reports records that are added, changed and removed in either store, where there were no folders before', async () => {
    const repository = createRepository();
    const { watching, next } = await startWatching(repository);
    expect(watching.records).toBe(0);
    remember(repository, [{ id: 'aaaaaaaaaa', title: 'One' }]);
    expect(await next()).toEqual(['+ One']);
    const month = join(repository.root, '.memory/observations/2026-11');
    const file = join(month, readdirSync(month)[0] ?? '');
    writeFileSync(join(repository.folder, 'edited'), '---\ntitle: "One, edited"\n---\n');
    renameSync(join(repository.folder, 'edited'), file);
    expect(await next()).toEqual(['~ One, edited']);
    writeFileSync(file, '---\ntitle: "One, edited in its place"\n---\n');
    expect(await next()).toEqual(['~ One, edited in its place']);
    remember(repository, [{ id: 'bbbbbbbbbb', title: 'Two' }], 'private');
    expect(await next()).toEqual(['+ Two']);
    rmSync(file);
    expect(await next()).toEqual(['- One, edited in its place']);
  });

  it('syncs once for a branch switch of thousands of files', async () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'No memory yet');
    repository.git('checkout', '--quiet', '-b', 'memories');
    remember(
      repository,
      Array.from({ length: 2000 }, (_, i) => generatedObservation(i)),
    );
    repository.git('add', '.memory');
    repository.git('commit', '--quiet', '-m', 'Thousands');
    const { watching, changes } = await startWatching(repository);
    expect(watching.records).toBe(2000);
    for (const [branch, added, removed, id] of [
      ['main', 0, 2000, 'aaaaaaaaaa'],
      ['memories', 2000, 0, 'bbbbbbbbbb'],
    ] as const) {
      repository.git('checkout', '--quiet', branch);
      expect(existsSync(join(repository.root, '.memory'))).toBe(branch === 'memories');
      await vi.waitFor(() => expect(changes.length).toBeGreaterThan(0), PATIENCE);
      // What comes next is this alone: nothing of the switch was left for another sync.
      remember(repository, [{ id }], 'private');
      await vi.waitFor(() => expect(changes.length).toBeGreaterThan(1), PATIENCE);
      expect(changes.map((change) => [change.added.length, change.removed.length])).toEqual([
        [added, removed],
        [1, 0],
      ]);
      changes.length = 0;
    }
  });

  it('ignores everything that is not memory', async () => {
    const repository = createRepository();
    remember(repository, [{ id: 'aaaaaaaaaa', title: 'One' }]);
    const { changes, next } = await startWatching(repository);
    repository.write('src/index.ts', 'export {};\n');
    repository.write('.memory/notes.txt', 'no record');
    repository.git('add', 'src');
    repository.git('commit', '--quiet', '-m', 'Code');
    remember(repository, [{ id: 'bbbbbbbbbb', title: 'Two' }]);
    expect(await next()).toEqual(['+ Two']);
    expect(changes).toEqual([]);
  });
});
