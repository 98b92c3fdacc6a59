import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { uncommittedSentence, untrackedRecords } from '../../src/provenance/untracked.ts';
import { belongsHere, countElsewhere, stageMemory } from '../../src/review/commit-policy.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const it = test.extend('repository', () => branched());

it('lets a commit go through when the records cannot be added', async ({ repository }) => {
  const { root, env } = repository;
  put(repository, observationOf({ id: 'k3v9x2qd7m', title: 'Retry uploads' }));
  const workspace = openWorkspace(root, { ...env, PATH: resolve(root, 'nowhere') });
  const { config } = loadConfig(workspace.layout.memory, { ...env, GIT_MEM_COMMIT: 'stage' });
  expect(await stageMemory(workspace, config)).toEqual([]);
  const elsewhere = openWorkspace(root, { ...env, GIT_INDEX_FILE: '/nonexistent/index' });
  expect(await stageMemory(elsewhere, config)).toEqual([]);
});

/** Whether records captured on a branch, at the commit that a revision names, belong into a commit of this checkout. */
async function joins({ root, env, git }: TestRepository, captured: [branch: string | undefined, revision: string][]) {
  const records = captured.map(([branch, revision], i) =>
    observationOf({ id: `aaaaaaaaa${i}`, ...(branch && { branch }), commit: git('rev-parse', revision).trim() }),
  );
  const isHere = await belongsHere(openWorkspace(root, { ...env, GIT_MEM_TRUST_BRANCH: 'main' }), records);
  return records.map(isHere);
}

/** `main`, and two branches of it with one commit each. */
function branched(): TestRepository {
  const repository = committedBase();
  const { git } = repository;
  for (const branch of ['one', 'two']) {
    git('switch', '--quiet', '-c', branch, 'main');
    git('commit', '--quiet', '--allow-empty', '-m', branch);
  }
  return repository;
}

describe('a record belongs into a commit', () => {
  it('on the branch on which it was captured', async ({ repository }) => {
    expect(await joins(repository, [['two', 'two']])).toEqual([true]);
    // It was captured before the branch had a commit of its own.
    expect(await joins(repository, [['two', 'main']])).toEqual([true]);
  });

  it('on a branch that left the reviewed one after it was captured there', async ({ repository }) => {
    expect(await joins(repository, [['main', 'main']])).toEqual([true]);
    repository.git('switch', '--quiet', 'main');
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'later');
    repository.git('switch', '--quiet', 'two');
    expect(await joins(repository, [['main', 'main']])).toEqual([false]);
  });

  it('on a branch that contains the commits of its own, or took over its name', async ({ repository }) => {
    expect(await joins(repository, [['one', 'one']])).toEqual([false]);
    expect(await joins(repository, [['one', 'main']])).toEqual([false]);
    repository.git('merge', '--quiet', '--no-edit', 'one');
    expect(await joins(repository, [['one', 'one']])).toEqual([true]);
    repository.git('switch', '--quiet', 'one');
    repository.git('branch', '--quiet', '-m', 'renamed');
    expect(
      await joins(repository, [
        ['one', 'main'],
        ['one', 'renamed'],
      ]),
    ).toEqual([true, true]);
  });

  it('on a detached HEAD, by its commit', async ({ repository }) => {
    repository.git('switch', '--quiet', '--detach', 'one');
    expect(
      await joins(repository, [
        [undefined, 'one'],
        ['one', 'one'],
        ['two', 'two'],
      ]),
    ).toEqual([true, true, false]);
  });

  it('on the reviewed branch only if it was captured there, or on no branch', async ({ repository }) => {
    repository.git('switch', '--quiet', 'main');
    repository.git('merge', '--quiet', 'one');
    expect(
      await joins(repository, [
        ['main', 'main'],
        ['one', 'one'],
        [undefined, 'one'],
        [undefined, 'two'],
      ]),
    ).toEqual([true, false, true, false]);
  });

  it('whatever the branch, where nothing says when it was captured', async ({ repository: { root, env } }) => {
    expect((await belongsHere(openWorkspace(root, env), []))(observationOf({ id: 'aaaaaaaaa1' }))).toBe(true);
  });
});

it('counts the records that are not committed, and those of another branch', async ({ repository }) => {
  const { root, env, git } = repository;
  const count = async () => {
    const workspace = openWorkspace(root, { ...env, GIT_MEM_TRUST_BRANCH: 'main' });
    const files = await untrackedRecords(workspace);
    return { records: files.length, other_branch: await countElsewhere(workspace, files) };
  };
  expect(await count()).toEqual({ records: 0, other_branch: 0 });
  put(repository, observationOf({ id: 'aaaaaaaaa1', branch: 'two', commit: git('rev-parse', 'two').trim() }));
  put(repository, observationOf({ id: 'aaaaaaaaa2', branch: 'one', commit: git('rev-parse', 'one').trim() }));
  expect(await count()).toEqual({ records: 2, other_branch: 1 });
  expect(uncommittedSentence(await count())).toBe(
    '2 records are not committed; 1 of them belongs to another branch, and waits for a commit there or your `git add`.',
  );
});
