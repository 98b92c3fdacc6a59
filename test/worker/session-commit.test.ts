import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject } from '../../src/project.ts';
import { committedBase, standing } from '../support/git-states.ts';
import { hookedSession } from '../support/hooked-session.ts';
import type { TestRepository } from '../support/repository.ts';

async function drain({ root, env }: TestRepository, policy: string, all = false): Promise<void> {
  const project = openProject(root, { ...env, GIT_MEM_COMMIT: policy, GIT_MEM_COMMIT_AFTER: '0s' });
  await project.drain({ all, now: true, signal: new AbortController().signal });
}

const subjects = ({ git }: TestRepository) => git('log', '--format=%s').trim().split('\n');

describe('the drain under the policy "auto"', () => {
  it('commits the memory of a session when it is over, and not before', async () => {
    const repository = committedBase();
    repository.write('a.txt', 'staged\n');
    repository.git('add', 'a.txt');
    repository.write('src/limit.ts', 'export const LIMIT = 10;\n');
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    await drain(repository, 'auto');
    expect(subjects(repository)).toEqual(['base']);
    const before = standing(repository);
    session.end();
    await drain(repository, 'auto');
    expect(subjects(repository)).toEqual([
      expect.stringMatching(/^memory: 1 observation, 1 summary of session /),
      'base',
    ]);
    const { files: _before, ...user } = before;
    const { files: _after, ...same } = standing(repository);
    expect(same).toEqual(user);
    expect(repository.git('status', '--porcelain', '--', '.memory')).toBe('');
    await drain(repository, 'auto', true);
    expect(subjects(repository)).toHaveLength(2);
  });

  it('commits in the session’s worktree', async () => {
    const repository = committedBase();
    const root = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', root);
    const session = hookedSession(root);
    session.work('p1', 40);
    session.end();
    await drain(repository, 'auto');
    expect(subjects(repository)).toEqual(['base']);
    expect(subjects({ ...repository, git: (...args) => repository.git('-C', root, ...args) })[0]).toMatch(/^memory: /);
  });

  it('catches up at the end of a later session', async () => {
    const repository = committedBase();
    repository.write('.git/MERGE_HEAD', '');
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    await drain(repository, 'auto');
    expect(readFileSync(join(repository.root, '.git/git-mem/hook.log'), 'utf8')).toContain('a merge is in progress');
    rmSync(join(repository.root, '.git/MERGE_HEAD'));
    const later = hookedSession(repository.root, { id: 'another-session' });
    later.work('p1', 50);
    later.end();
    await drain(repository, 'auto');
    expect(subjects(repository)).toEqual(['memory: 2 observations, 2 summaries of 2 sessions', 'base']);
  });

  it('does nothing under another policy', async () => {
    const repository = committedBase();
    const session = hookedSession(repository.root);
    session.work('p1', 40);
    session.end();
    await drain(repository, 'stage');
    expect(subjects(repository)).toEqual(['base']);
  });
});
