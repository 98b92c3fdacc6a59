import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultBranches } from '../../src/repo/default-branch.ts';
import { locate } from '../../src/repo/locate.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

function commit({ git }: TestRepository): void {
  git('commit', '--quiet', '--allow-empty', '-m', 'a');
}

async function branches(root: string, { env }: TestRepository): Promise<string[]> {
  const checkout = locate(root);
  if (checkout === undefined) throw new Error(`Nothing was found at ${root}.`);
  return defaultBranches(checkout, env);
}

describe('the default branches without a remote', () => {
  it('are none before the first commit', async () => {
    const repository = createRepository();
    expect(await branches(repository.root, repository)).toEqual([]);
  });

  it('are main or master here, also packed, also under a detached HEAD', async () => {
    const repository = createRepository();
    commit(repository);
    repository.git('checkout', '--quiet', '--detach');
    expect(await branches(repository.root, repository)).toEqual(['refs/heads/main']);
    repository.git('branch', '--quiet', '-m', 'main', 'master');
    repository.git('pack-refs', '--all');
    expect(await branches(repository.root, repository)).toEqual(['refs/heads/master']);
  });

  it('are what init.defaultBranch names, and not just the only branch that there is', async () => {
    const repository = createRepository();
    commit(repository);
    repository.git('branch', '--quiet', '-m', 'main', 'trunk');
    expect(await branches(repository.root, repository)).toEqual([]);
    repository.git('config', 'init.defaultBranch', 'trunk');
    expect(await branches(repository.root, repository)).toEqual(['refs/heads/trunk']);
  });

  it('are what HEAD of a bare clone names, for its worktrees', async () => {
    const source = createRepository('source');
    commit(source);
    source.git('branch', '--quiet', '-m', 'main', 'trunk');
    const [bare, linked] = [join(source.folder, 'bare.git'), join(source.folder, 'linked')];
    source.git('clone', '--quiet', '--bare', source.root, bare);
    source.git('-C', bare, 'worktree', 'add', '--quiet', '-b', 'work', linked);
    expect(await branches(linked, source)).toEqual(['refs/heads/trunk']);
  });
});

describe('the default branches with a remote', () => {
  function cloned() {
    const source = createRepository('source');
    commit(source);
    source.git('branch', '--quiet', '-m', 'main', 'trunk');
    const clone = join(source.folder, 'clone');
    source.git('clone', '--quiet', source.root, clone);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', clone, ...args], { env: source.env, stdio: 'ignore' });
    return { source, clone, git, found: () => branches(clone, source) };
  }

  it('are what it says, in every worktree, also after packing', async () => {
    const { source, git, found } = cloned();
    const linked = join(source.folder, 'linked');
    git('worktree', 'add', '-b', 'main', linked);
    git('pack-refs', '--all');
    expect(await found()).toEqual(['refs/remotes/origin/trunk']);
    expect(await branches(linked, source)).toEqual(['refs/remotes/origin/trunk']);
  });

  it('are never the local main, into which anything may have been merged', async () => {
    const { git, found } = cloned();
    git('branch', 'main');
    git('remote', 'set-head', 'origin', '--delete');
    expect(await found()).toEqual([]);
    git('config', 'init.defaultBranch', 'trunk');
    expect(await found()).toEqual(['refs/remotes/origin/trunk']);
    git('pack-refs', '--all');
    expect(await found()).toEqual(['refs/remotes/origin/trunk']);
  });

  it('are those of origin and upstream, and of no other remote', async () => {
    const { source, git, found } = cloned();
    source.git('branch', 'main');
    git('remote', 'add', '--fetch', 'mallory', source.root);
    git('remote', 'set-head', 'mallory', 'trunk');
    expect(await found()).toEqual(['refs/remotes/origin/trunk']);
    git('remote', 'add', '--fetch', 'upstream', source.root);
    expect(await found()).toEqual(['refs/remotes/origin/trunk', 'refs/remotes/upstream/main']);
    git('remote', 'remove', 'origin');
    expect(await found()).toEqual(['refs/remotes/upstream/main']);
  });

  it('are the local one where it was named and never fetched', async () => {
    const repository = createRepository();
    commit(repository);
    repository.git('remote', 'add', 'origin', 'https://example.invalid/a.git');
    repository.git('remote', 'add', 'mallory', 'https://example.invalid/b.git');
    expect(await branches(repository.root, repository)).toEqual(['refs/heads/main']);
  });
});

describe('references in a table', () => {
  it('are asked of git', async ({ skip }) => {
    const repository = createRepository();
    const root = join(repository.folder, 'table');
    try {
      repository.git('init', '--quiet', '--ref-format=reftable', root);
    } catch {
      console.info('Skipped: this git knows no reference tables.');
      skip();
    }
    repository.git('-C', root, 'commit', '--quiet', '--allow-empty', '-m', 'a');
    expect(await branches(root, repository)).toEqual(['refs/heads/main']);
  });
});
