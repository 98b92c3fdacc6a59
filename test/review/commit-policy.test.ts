import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { uncommittedSentence, untrackedRecords } from '../../src/provenance/untracked.ts';
import { belongsHere, countElsewhere, stageMemory } from '../../src/review/commit-policy.ts';
import { bundle } from '../support/bundle.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

const it = test.extend('repository', () => hooked());
const itBranched = test.extend('repository', () => branched());

/** What a pre-commit hook calls. */
const program = await bundle(`
  import { stageMemory } from './src/review/commit-policy.ts';
  import { loadConfig } from './src/config.ts';
  import { openWorkspace } from './src/memory/store/workspace.ts';
  const workspace = openWorkspace(process.cwd(), process.env);
  await stageMemory(workspace, loadConfig(workspace.layout.memory, process.env).config);
`);

const one = observationOf({ id: 'k3v9x2qd7m', title: 'Retry uploads' });

/** A repository with the hook, one record of its own, and a change to commit. */
function hooked(policy = 'stage'): TestRepository & { record: string } {
  const repository = committedBase();
  const file = join(repository.root, '.git/hooks/pre-commit');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nGIT_MEM_COMMIT=${policy} exec '${process.execPath}' '${program}'\n`);
  chmodSync(file, 0o755);
  repository.write('a.txt', 'one\nTWO\nthree\n');
  repository.write('b.txt', 'B\n');
  return { ...repository, record: put(repository, one) };
}

const committed = ({ git }: TestRepository) =>
  git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').filter(Boolean);

const status = ({ git }: TestRepository) => git('status', '--porcelain', '--untracked-files=all').trimEnd();

describe('a commit under the policy "stage"', () => {
  it('of the index includes the new records', ({ repository }) => {
    repository.git('add', 'a.txt');
    repository.git('commit', '--quiet', '-m', 'mine');
    expect(committed(repository)).toEqual([repository.record, 'a.txt']);
    expect(status(repository)).toBe(' M b.txt');
  });

  it('of everything (-a) does too', ({ repository }) => {
    repository.git('commit', '--quiet', '-am', 'mine');
    expect(committed(repository)).toEqual([repository.record, 'a.txt', 'b.txt']);
    expect(status(repository)).toBe('');
  });

  it('of chosen hunks (-p) does too, and includes only those hunks', ({ repository }) => {
    const answers = join(repository.folder, 'answers');
    writeFileSync(answers, 'y\nn\n');
    const quoted = `cd '${repository.root}' && git commit --quiet -p -m mine < '${answers}'`;
    repository.git('-c', `alias.chosen=!${quoted}`, 'chosen');
    expect(committed(repository)).toEqual([repository.record, 'a.txt']);
    expect(status(repository)).toBe(' M b.txt');
  });

  it.each(['--only', '--include'])('of named files (%s) does too, and leaves a sound index', (how) => {
    const repository = hooked();
    repository.git('add', 'b.txt');
    repository.git('commit', '--quiet', '-m', 'mine', how, 'a.txt');
    // --include commits the index with these files.
    expect(committed(repository)).toEqual([repository.record, 'a.txt', ...(how === '--include' ? ['b.txt'] : [])]);
    expect(status(repository)).toBe(how === '--include' ? '' : 'M  b.txt');
    repository.git('fsck', '--strict');
  });

  it('of named files takes in no record that somebody has staged', ({ repository }) => {
    repository.git('add', repository.record);
    repository.git('commit', '--quiet', '-m', 'mine', 'a.txt');
    expect(committed(repository)).toEqual(['a.txt']);
    expect(status(repository)).toBe(`A  ${repository.record}\n M b.txt`);
  });

  it('of named files that fails leaves the record as it was', ({ repository }) => {
    const hook = join(repository.root, '.git/hooks/commit-msg');
    writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(() => repository.git('commit', '--quiet', '-m', 'mine', 'a.txt')).toThrow();
    expect(status(repository)).toBe(` M a.txt\n M b.txt\n?? ${repository.record}`);
  });

  it('in a linked worktree includes that worktree’s records', ({ repository: base }) => {
    const root = join(base.folder, 'linked');
    base.git('worktree', 'add', '--quiet', '-b', 'side', root);
    const repository = { ...base, root, git: (...args: string[]) => base.git('-C', root, ...args) };
    const record = put(repository, observationOf({ id: 'aaaaaaaaa1' }));
    writeFileSync(join(root, 'a.txt'), 'linked\n');
    repository.git('commit', '--quiet', '-am', 'mine');
    expect(committed(repository)).toEqual([record, 'a.txt']);
    expect(status(base)).toContain(`?? ${base.record}`);
  });

  it('takes in what a person corrected, and leaves alone untrusted files and one with a secret', ({ repository }) => {
    const theirs = drop(repository, observationOf({ id: 'aaaaaaaaa2', title: 'Of a stranger' }));
    const edited = put(repository, observationOf({ id: 'aaaaaaaaa3', title: 'Edited' }));
    const text = readFileSync(join(repository.root, edited), 'utf8');
    writeFileSync(join(repository.root, edited), text.replace('Edited', 'Editorial'));
    const secret = `gh${'p_'}${'a1B2'.repeat(9)}`;
    const leaky = put(repository, observationOf({ id: 'aaaaaaaaa4', title: 'Leaky', facts: [`It is ${secret}.`] }));
    repository.git('commit', '--quiet', '-am', 'mine');
    expect(committed(repository).sort()).toEqual([repository.record, edited, 'a.txt', 'b.txt'].sort());
    for (const path of [theirs, leaky]) expect(status(repository)).toContain(`?? ${path}`);
  });

  it('that concludes a merge contains nothing but the merge', ({ repository }) => {
    repository.git('stash', '--quiet');
    repository.git('switch', '--quiet', '-c', 'other');
    repository.git('commit', '--quiet', '--no-verify', '--allow-empty', '-m', 'theirs');
    repository.git('switch', '--quiet', 'main');
    repository.git('merge', '--quiet', '--no-ff', '--no-commit', 'other');
    repository.git('commit', '--quiet', '-m', 'merged');
    expect(committed(repository)).toEqual([]);
    expect(status(repository)).toBe(`?? ${repository.record}`);
  });

  it('that is the first one includes them too', ({ repository }) => {
    repository.git('switch', '--quiet', '--orphan', 'fresh', '--discard-changes');
    const record = put(repository, observationOf({ id: 'aaaaaaaaa1' }));
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    expect(committed(repository)).toContain(record);
  });

  it('is unchanged under "manual"', () => {
    const repository = hooked('manual');
    repository.git('commit', '--quiet', '-am', 'mine');
    expect(committed(repository)).toEqual(['a.txt', 'b.txt']);
  });

  it('goes through when the records cannot be added', async ({ repository: { root, env } }) => {
    const workspace = openWorkspace(root, { ...env, PATH: resolve(root, 'nowhere') });
    const { config } = loadConfig(workspace.layout.memory, { ...env, GIT_MEM_COMMIT: 'stage' });
    expect(await stageMemory(workspace, config)).toEqual([]);
    const elsewhere = openWorkspace(root, { ...env, GIT_INDEX_FILE: '/nonexistent/index' });
    expect(await stageMemory(elsewhere, config)).toEqual([]);
  });
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
  itBranched('on the branch on which it was captured', async ({ repository }) => {
    expect(await joins(repository, [['two', 'two']])).toEqual([true]);
    // It was captured before the branch had a commit of its own.
    expect(await joins(repository, [['two', 'main']])).toEqual([true]);
  });

  itBranched('on a branch that left the reviewed one after it was captured there', async ({ repository }) => {
    expect(await joins(repository, [['main', 'main']])).toEqual([true]);
    repository.git('switch', '--quiet', 'main');
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'later');
    repository.git('switch', '--quiet', 'two');
    expect(await joins(repository, [['main', 'main']])).toEqual([false]);
  });

  itBranched('on a branch that contains the commits of its own, or took over its name', async ({ repository }) => {
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

  itBranched('on a detached HEAD, by its commit', async ({ repository }) => {
    repository.git('switch', '--quiet', '--detach', 'one');
    expect(
      await joins(repository, [
        [undefined, 'one'],
        ['one', 'one'],
        ['two', 'two'],
      ]),
    ).toEqual([true, true, false]);
  });

  itBranched('on the reviewed branch only if it was captured there, or on no branch', async ({ repository }) => {
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

  itBranched('whatever the branch, where nothing says when it was captured', async ({ repository: { root, env } }) => {
    expect((await belongsHere(openWorkspace(root, env), []))(observationOf({ id: 'aaaaaaaaa1' }))).toBe(true);
  });
});

itBranched('counts the records that are not committed, and those of another branch', async ({ repository }) => {
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
