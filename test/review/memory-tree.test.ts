import { expect, test } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { commitTree, stagedTree, worktreeTree } from '../../src/review/memory-tree.ts';
import { createRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

test('a review says how much memory it needs, instead of crashing, where the records do not fit', async () => {
  const repository = createRepository();
  repository.git('init', '-q');
  for (const name of ['one', 'two', 'three']) put(repository, observationOf({ id: idOf(name) }));
  repository.commit('Remember');
  const workspace = openWorkspace(repository.root, repository.env);
  const tooLarge = expect.objectContaining({ code: 'too-large', message: expect.stringContaining('3 records') });
  const small = { heapBytes: 10_000 };
  expect(() => worktreeTree(workspace, small)).toThrow(tooLarge);
  await expect(commitTree(workspace, 'HEAD', small)).rejects.toEqual(tooLarge);
  await expect(stagedTree(workspace, undefined, small)).rejects.toEqual(tooLarge);
  // To compare them by name and blob takes little.
  expect((await commitTree(workspace, 'HEAD', { ...small, isRead: false })).size).toBe(3);
  expect(worktreeTree(workspace).size).toBe(3);
});
