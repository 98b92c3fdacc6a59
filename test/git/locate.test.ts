import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Checkout, locate, objectFormat, readHead } from '../../src/git/locate.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { scratchFolder } from '../support/scratch.ts';
import { it } from '../support/with-repository.ts';

/** What git itself says of a place, which is what reading its files must come to. */
function gitSays({ env }: TestRepository, cwd: string): Checkout {
  const ask = (...args: string[]) =>
    execFileSync('git', ['rev-parse', '--path-format=absolute', ...args], { cwd, env, encoding: 'utf8' }).trim();
  return { root: ask('--show-toplevel'), gitDir: ask('--git-dir'), commonDir: ask('--git-common-dir') };
}

function commit(repository: TestRepository, name = 'a.txt'): string {
  repository.write(name, name);
  repository.commit(name);
  return repository.git('rev-parse', 'HEAD').trim();
}

function found(start: string): Checkout {
  const checkout = locate(start);
  if (checkout === undefined) throw new Error(`Nothing was found at ${start}.`);
  return checkout;
}

describe('the checkout that contains a folder', () => {
  it('is found from its top and from below it', () => {
    const repository = createRepository('it\'s a "repo"');
    const below = join(repository.root, 'src', 'deep er');
    mkdirSync(below, { recursive: true });
    for (const start of [repository.root, below, join(repository.root, '.git', 'hooks')]) {
      expect(locate(start)).toEqual(gitSays(repository, repository.root));
    }
  });

  it('is a linked worktree with the repository’s common folder', ({ repository }) => {
    commit(repository);
    const linked = join(repository.folder, 'linked tree');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    mkdirSync(join(linked, 'src'));
    expect(locate(join(linked, 'src'))).toEqual(gitSays(repository, linked));
    expect(found(linked).commonDir).toBe(found(repository.root).commonDir);
  });

  it('is a submodule with a folder of its own', () => {
    const inner = createRepository('inner');
    commit(inner);
    const repository = createRepository();
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'lib/inner');
    const place = join(repository.root, 'lib', 'inner');
    expect(locate(place)).toEqual(gitSays(repository, place));
    expect(found(place).commonDir).not.toBe(found(repository.root).commonDir);
    expect(found(join(repository.root, 'lib')).root).toBe(repository.root);
  });

  it('is the same repository through a symbolic link', ({ repository }) => {
    const link = join(repository.folder, 'link');
    symlinkSync(repository.root, link);
    expect(locate(link)).toMatchObject({ root: link, commonDir: join(repository.root, '.git') });
  });

  it('is found where the git folder itself is a symbolic link', ({ repository }) => {
    renameSync(join(repository.root, '.git'), join(repository.folder, 'moved.git'));
    symlinkSync(join(repository.folder, 'moved.git'), join(repository.root, '.git'));
    expect(found(repository.root).commonDir).toBe(join(repository.folder, 'moved.git'));
  });

  it('is absent outside a repository', () => {
    const folder = scratchFolder();
    expect(locate(folder)).toBeUndefined();
    expect(locate(join(folder, 'not', 'there'))).toBeUndefined();
  });

  it('is not a folder that only looks like one, but the one around it', ({ repository }) => {
    mkdirSync(join(repository.root, 'a', '.git'), { recursive: true });
    mkdirSync(join(repository.root, 'b'));
    writeFileSync(join(repository.root, 'b', '.git'), 'nonsense\n');
    for (const name of ['a', 'b']) expect(found(join(repository.root, name)).root).toBe(repository.root);
  });

  it('is absent in a worktree whose repository is gone, even inside another repository', ({ repository: outer }) => {
    const repository = createRepository();
    commit(repository);
    const linked = join(outer.root, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    rmSync(repository.root, { recursive: true });
    expect(locate(linked)).toBeUndefined();
  });

  it.each([
    ['below a file', (root: string) => join(root, 'file', 'x')],
    ['with a name too long for any file system', (root: string) => join(root, 'n'.repeat(5000))],
    ['with a NUL', (root: string) => join(root, 'a\0b')],
  ])('is the one around an invalid path: %s', (_, pathIn) => {
    const repository = createRepository();
    repository.write('file', '');
    expect(found(pathIn(repository.root)).root).toBe(repository.root);
  });
});

describe('HEAD', () => {
  it('names branch and commit', ({ repository }) => {
    const id = commit(repository);
    repository.git('switch', '--quiet', '-c', 'feature/ä b'.replace(' ', '-'));
    expect(readHead(found(repository.root))).toEqual({ branch: 'feature/ä-b', commit: id });
  });

  it('names the commit of a packed branch, and not of one with the same ending', ({ repository }) => {
    const first = commit(repository);
    repository.git('branch', 'x/main');
    const second = commit(repository, 'b.txt');
    repository.git('pack-refs', '--all');
    expect(readHead(found(repository.root))).toEqual({ branch: 'main', commit: second });
    repository.git('switch', '--quiet', 'x/main');
    expect(readHead(found(repository.root))).toEqual({ branch: 'x/main', commit: first });
  });

  it('names a commit alone when detached', ({ repository }) => {
    const id = commit(repository);
    repository.git('switch', '--quiet', '--detach');
    expect(readHead(found(repository.root))).toEqual({ commit: id });
  });

  it('names a branch alone when unborn', () => {
    expect(readHead(found(createRepository().root))).toEqual({ branch: 'main' });
  });

  it('is that of the linked worktree, not of the main one', ({ repository }) => {
    const id = commit(repository);
    const linked = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    commit(repository, 'b.txt');
    expect(readHead(found(linked))).toEqual({ branch: 'side', commit: id });
  });

  it('names nothing where references are in a reftable, whose placeholder is not a branch', ({ repository }) => {
    writeFileSync(join(repository.root, '.git', 'HEAD'), 'ref: refs/heads/.invalid\n');
    expect(readHead(found(repository.root))).toEqual({});
  });

  it.each(['', 'garbage', 'ref: ', 'ref: refs/heads/../../config'])('names no commit when it contains %j', (head) => {
    const repository = createRepository();
    writeFileSync(join(repository.root, '.git', 'HEAD'), head);
    expect(readHead(found(repository.root)).commit).toBeUndefined();
  });
});

it('a repository with SHA-256 is recognised by its configuration, and has long commit ids', ({ repository }) => {
  expect(objectFormat(found(repository.root).commonDir)).toBe('sha1');
  const root = join(repository.folder, 'long');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, env: repository.env, encoding: 'utf8' });
  mkdirSync(root);
  git('init', '--quiet', '--object-format=sha256');
  git('commit', '--quiet', '--allow-empty', '-m', 'a');
  expect(objectFormat(found(root).commonDir)).toBe('sha256');
  expect(readHead(found(root)).commit).toBe(git('rev-parse', 'HEAD').trim());
  expect(objectFormat(join(repository.folder, 'nowhere'))).toBe('sha1');
});
