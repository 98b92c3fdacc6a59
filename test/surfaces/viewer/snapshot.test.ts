import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/index/cache.ts';
import { idOf } from '../../../src/memory/id.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import { keepSnapshot, type Snapshot } from '../../../src/surfaces/viewer/snapshot.ts';
import { createRepository } from '../../support/repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

test('a replaced snapshot is released, whatever was asked of it', async () => {
  const repository = createRepository();
  repository.git('init', '-q');
  const workspace = openWorkspace(repository.root, repository.env);
  const cache = openCache(workspace);
  const keeper = keepSnapshot(workspace, cache);
  const look = async (n: number): Promise<WeakRef<Snapshot>> => {
    put(repository, observationOf({ id: idOf(String(n)) }));
    const snapshot = await keeper.snapshot();
    expect((await snapshot.freshness()).size).toBe(n);
    return new WeakRef(snapshot);
  };
  const earlier: WeakRef<Snapshot>[] = [];
  for (let n = 1; n <= 5; n++) earlier.push(await look(n));
  // What was looked at in this turn is held until its end.
  await nextTurn();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  expect(earlier.map((snapshot) => snapshot.deref() !== undefined)).toEqual([false, false, false, false, true]);
  cache.close();
});
