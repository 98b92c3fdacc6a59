import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { defaultBranches } from '../../src/git/default-branch.ts';
import { locate } from '../../src/git/locate.ts';
import { layoutOf } from '../../src/memory/store/layout.ts';
import { callIn, createRepository, type TestRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';

function commit({ git }: TestRepository): void {
  git('commit', '--quiet', '--allow-empty', '-m', 'a');
}

/** The branches without anybody's word but git's. */
function branches(root: string, { env }: TestRepository, more: Record<string, string | undefined> = {}): string[] {
  const checkout = locate(root);
  if (checkout === undefined) throw new Error(`Nothing was found at ${root}.`);
  const all = { ...env, GIT_MEM_TRUST_BRANCH: undefined, ...more };
  return defaultBranches({ checkout, env: all, layout: layoutOf(checkout, all) });
}

describe('the reviewed branch without a remote', () => {
  it('is undefined, whatever the branches are called', ({ repository }) => {
    expect(branches(repository.root, repository)).toEqual([]);
    commit(repository);
    repository.git('config', 'init.defaultBranch', 'main');
    repository.git('branch', 'master');
    expect(branches(repository.root, repository)).toEqual([]);
  });

  it('is the one that the user names, if it exists', ({ repository }) => {
    const named = (name: string) => branches(repository.root, repository, { GIT_MEM_TRUST_BRANCH: name });
    expect(named('main')).toEqual([]);
    commit(repository);
    repository.git('checkout', '--quiet', '--detach');
    expect(named('main')).toEqual(['refs/heads/main']);
    expect(named('refs/heads/main')).toEqual(['refs/heads/main']);
    repository.git('branch', '--quiet', '-m', 'main', 'trunk');
    repository.git('pack-refs', '--all');
    expect(named('main')).toEqual([]);
    expect(named('trunk')).toEqual(['refs/heads/trunk']);
  });

  it('is the one that init stored, even after adding a remote that was never fetched', async ({ repository }) => {
    commit(repository);
    const env = { ...repository.env, GIT_MEM_TRUST_BRANCH: undefined };
    await callIn({ root: repository.root, env }, ['init', '--yes']);
    expect(branches(repository.root, repository)).toEqual(['refs/heads/main']);
    repository.git('remote', 'add', 'origin', 'https://example.invalid/a.git');
    expect(branches(repository.root, repository)).toEqual(['refs/heads/main']);
  });

  it('is the one that HEAD of a bare clone names, for its worktrees', () => {
    const source = createRepository('source');
    commit(source);
    source.git('branch', '--quiet', '-m', 'main', 'trunk');
    const [bare, linked] = [join(source.folder, 'bare.git'), join(source.folder, 'linked')];
    source.git('clone', '--quiet', '--bare', source.root, bare);
    source.git('-C', bare, 'worktree', 'add', '--quiet', '-b', 'work', linked);
    expect(branches(linked, source)).toEqual(['refs/heads/trunk']);
  });
});

it('is nobody’s guess with a remote of another name: init notes none, and the user may name that remote’s', async () => {
  const source = createRepository('source');
  commit(source);
  const clone = join(source.folder, 'clone');
  source.git('clone', '--quiet', '--origin', 'theirs', source.root, clone);
  source.git('-C', clone, 'switch', '--quiet', '-c', 'stranger');
  await callIn({ root: clone, env: { ...source.env, GIT_MEM_TRUST_BRANCH: undefined } }, ['init', '--yes']);
  expect(branches(clone, source)).toEqual([]);
  expect(branches(clone, source, { GIT_MEM_TRUST_BRANCH: 'theirs/main' })).toEqual(['refs/remotes/theirs/main']);
});

describe('the reviewed branch with a remote', () => {
  function cloned() {
    const source = createRepository('source');
    commit(source);
    source.git('branch', '--quiet', '-m', 'main', 'trunk');
    const clone = join(source.folder, 'clone');
    source.git('clone', '--quiet', source.root, clone);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', clone, ...args], { env: source.env, stdio: 'ignore' });
    const found = (more: Record<string, string | undefined> = {}) => branches(clone, source, more);
    return { source, clone, git, found };
  }

  it('is the one that the remote names, in every worktree, including after packing', () => {
    const { source, git, found } = cloned();
    const linked = join(source.folder, 'linked');
    git('worktree', 'add', '-b', 'main', linked);
    git('pack-refs', '--all');
    expect(found()).toEqual(['refs/remotes/origin/trunk']);
    expect(branches(linked, source)).toEqual(['refs/remotes/origin/trunk']);
  });

  it('is never guessed by name, neither locally nor on the remote', () => {
    const { source, git, found } = cloned();
    source.git('branch', 'main');
    git('fetch', '--quiet');
    git('branch', 'main');
    git('config', 'init.defaultBranch', 'main');
    git('remote', 'set-head', 'origin', '--delete');
    expect(found()).toEqual([]);
    git('remote', 'set-head', 'origin', '--auto');
    expect(found()).toEqual(['refs/remotes/origin/trunk']);
  });

  it('is upstream’s alone where it exists, and no other remote’s', () => {
    const { source, git, found } = cloned();
    source.git('branch', 'main');
    git('remote', 'add', '--fetch', 'mallory', source.root);
    git('remote', 'set-head', 'mallory', 'main');
    expect(found()).toEqual(['refs/remotes/origin/trunk']);
    git('remote', 'add', 'upstream', source.root);
    expect(found(), 'never fetched').toEqual([]);
    git('fetch', '--quiet', 'upstream');
    git('remote', 'set-head', 'upstream', 'main');
    expect(found()).toEqual(['refs/remotes/upstream/main']);
    expect(found({ GIT_MEM_TRUST_BRANCH: 'trunk' })).toEqual(['refs/remotes/upstream/trunk']);
  });

  it('is the remote’s branch that the user names, and never a local one of that name', () => {
    const { git, found } = cloned();
    git('branch', 'main');
    expect(found({ GIT_MEM_TRUST_BRANCH: 'main' })).toEqual([]);
    expect(found({ GIT_MEM_TRUST_BRANCH: 'trunk' })).toEqual(['refs/remotes/origin/trunk']);
    expect(found({ GIT_MEM_TRUST_BRANCH: 'origin/trunk' })).toEqual(['refs/remotes/origin/trunk']);
  });

  it('is the one that the forge gives its jobs', () => {
    const { source, git, found } = cloned();
    git('remote', 'set-head', 'origin', '--delete');
    source.write('event.json', JSON.stringify({ repository: { default_branch: 'trunk' } }));
    const event = join(source.root, 'event.json');
    expect(found({ GITHUB_EVENT_PATH: event })).toEqual([]);
    expect(found({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: event })).toEqual(['refs/remotes/origin/trunk']);
    expect(found({ GITLAB_CI: 'true', CI_DEFAULT_BRANCH: 'trunk' })).toEqual(['refs/remotes/origin/trunk']);
    expect(found({ GITLAB_CI: 'true', CI_DEFAULT_BRANCH: 'main' })).toEqual([]);
    source.write('event.json', 'none');
    expect(found({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: event })).toEqual([]);
  });
});

it('references in a reftable are read through git', async ({ skip }) => {
  const repository = createRepository();
  const root = join(repository.folder, 'table');
  try {
    repository.git('init', '--quiet', '--ref-format=reftable', root);
  } catch {
    console.info('Skipped: this git knows no reference tables.');
    skip();
  }
  repository.git('-C', root, 'commit', '--quiet', '--allow-empty', '-m', 'a');
  expect(branches(root, repository, { GIT_MEM_TRUST_BRANCH: 'main' })).toEqual(['refs/heads/main']);
});
