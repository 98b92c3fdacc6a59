import { expect, test } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { readEverything } from '../../src/recall/query/read.ts';
import { createRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

test('says how much memory it needs, instead of crashing, where the records do not fit', async () => {
  const repository = createRepository();
  repository.git('init', '-q');
  for (const name of ['one', 'two', 'three']) put(repository, observationOf({ id: idOf(name) }));
  const workspace = openWorkspace(repository.root, repository.env);
  await expect(readEverything(workspace, { heapBytes: 10_000 })).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('3 records'),
    hint: expect.stringContaining('--max-old-space-size='),
  });
  expect((await readEverything(workspace)).records).toHaveLength(3);
});
