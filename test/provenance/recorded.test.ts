import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { isWithChange, recordedIn } from '../../src/provenance/recorded.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

const it = test.extend('repository', () => committedBase());

const record = observationOf({ id: 'aaaaaaaaa1', files_modified: ['a.txt'] });

/** Subject and kind of the commit that recorded the file at this path (from the repository's top). */
async function recorded({ root, env }: Pick<TestRepository, 'root' | 'env'>, path: string) {
  const workspace = openWorkspace(root, env);
  const found = (await recordedIn(workspace, [path.slice('.memory/'.length)])).get(path.slice('.memory/'.length));
  if (typeof found !== 'object') return found;
  return `${found.subject}, ${isWithChange(found, record) ? 'with the change' : 'by itself'}`;
}

/** A branch `side` with a record beside its change and one more commit, and a `main` that has gone on meanwhile. */
function branched(): { repository: TestRepository; path: string; side: string } {
  const repository = committedBase();
  const { git } = repository;
  git('switch', '--quiet', '-c', 'side');
  const path = put(repository, record);
  repository.write('a.txt', 'changed\n');
  repository.commit('work');
  const side = git('rev-parse', 'HEAD').trim();
  repository.write('more.txt', 'more\n');
  repository.commit('more');
  git('switch', '--quiet', 'main');
  repository.write('b.txt', 'meanwhile\n');
  repository.commit('meanwhile');
  return { repository, path, side };
}

describe('the commit that a record was recorded in', () => {
  it('is none before the record is committed, and none of another branch', async () => {
    const { repository, path } = branched();
    expect(await recorded(repository, path)).toBeUndefined();
    const uncommitted = put(repository, observationOf({ id: 'bbbbbbbbb1' }));
    expect(await recorded(repository, uncommitted)).toBeUndefined();
  });

  it('is one by itself where it changes no file that the record cites', async ({ repository }) => {
    const path = put(repository, record);
    repository.write('b.txt', 'another file\n');
    repository.commit('memory');
    expect(await recorded(repository, path)).toBe('memory, by itself');
  });

  it('is that of the branch after a merge, and the new one after a squash, a rebase or a cherry-pick', async () => {
    const merged = branched();
    merged.repository.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'side');
    expect(await recorded(merged.repository, merged.path)).toBe('work, with the change');

    const squashed = branched();
    squashed.repository.git('merge', '--quiet', '--squash', 'side');
    squashed.repository.git('commit', '--quiet', '-m', 'squashed');
    expect(await recorded(squashed.repository, squashed.path)).toBe('squashed, with the change');

    const rebased = branched();
    rebased.repository.git('switch', '--quiet', 'side');
    rebased.repository.git('rebase', '--quiet', 'main');
    const { root, env } = rebased.repository;
    const name = rebased.path.slice('.memory/'.length);
    const found = (await recordedIn(openWorkspace(root, env), [name])).get(name);
    expect(found).toMatchObject({ commit: rebased.repository.git('rev-parse', 'HEAD~1').trim(), subject: 'work' });

    const picked = branched();
    picked.repository.git('cherry-pick', picked.side);
    expect(await recorded(picked.repository, picked.path)).toBe('work, with the change');
  });

  it('is the merge commit itself where the record rode in it', async () => {
    const { repository, path } = branched();
    repository.git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
    const own = put(repository, observationOf({ id: 'bbbbbbbbb1' }));
    repository.commit('merge with a record');
    expect(await recorded(repository, own)).toBe('merge with a record, by itself');
    expect(await recorded(repository, path)).toBe('work, with the change');
  });

  it('stays the first one where people move the file, or remove it and bring it back', async () => {
    const { repository, path } = branched();
    repository.git('merge', '--quiet', 'side', '-m', 'merge');
    repository.git('revert', '--no-edit', 'HEAD~0', '-m', '1');
    repository.git('revert', '--no-edit', 'HEAD');
    expect(await recorded(repository, path)).toBe('work, with the change');
    const moved = path.replace('a-record', 'another-name').replace('2026-11/', '2025-01/');
    execFileSync('mkdir', ['-p', join(repository.root, '.memory/observations/2025-01')]);
    repository.git('mv', path, moved);
    repository.commit('tidy the folder');
    expect(await recorded(repository, moved)).toBe('work, with the change');
  });

  it('is not that of another file which claims the same id', async ({ repository }) => {
    drop(repository, observationOf({ id: record.id, narrative: 'A look-alike.' }));
    repository.commit('a look-alike');
    const path = drop(repository, record);
    repository.commit('memory');
    expect(await recorded(repository, path)).toBe('memory, by itself');
  });

  it('is unknown where a shallow history ends before it, and the same in a worktree', async () => {
    const { repository, path } = branched();
    repository.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'side');
    const { root, env, folder, git } = repository;
    git('clone', '--quiet', '--depth', '1', `file://${root}`, join(folder, 'shallow'));
    expect(await recorded({ root: join(folder, 'shallow'), env }, path)).toBe('history-ends');
    git('worktree', 'add', '--quiet', join(folder, 'tree'), 'side');
    expect(await recorded({ root: join(folder, 'tree'), env }, path)).toBe('work, with the change');
  });

  it('is found for many records with two questions to git', async ({ repository }) => {
    const paths = Array.from({ length: 60 }, (_, i) => {
      const id = `bbbbbbbb${String(i).padStart(2, '0')}`;
      return put(repository, observationOf({ id })).slice('.memory/'.length);
    });
    repository.commit('memory');
    const { root, env } = repository;
    const found = await recordedIn(openWorkspace(root, env), paths);
    expect([...found.keys()]).toEqual(paths);
  });
});
