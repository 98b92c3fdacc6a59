import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { gitEnvironment } from '../../src/git/child.ts';
import { objectIds, runGit } from '../../src/git/objects.ts';
import { createRepository } from '../support/repository.ts';
import { scratchFolder } from '../support/scratch.ts';
import { it } from '../support/with-repository.ts';

describe('asking git for objects', () => {
  it('answers each expression in order, whatever the path looks like', async ({ repository }) => {
    const paths = ['a.txt', 'with space.txt', 'ümläut.txt', '"quoted".txt', 'sub/b.txt'];
    for (const path of paths) repository.write(path, path);
    repository.commit('a');
    const asked = [...paths, 'missing.txt', 'line\nfeed.txt', ''].map((path) => `HEAD:${path}`);
    const ids = await objectIds(repository.root, [...asked, 'nonsense', 'HEAD:a.txt'], repository.env);
    const blob = (path: string) => repository.git('rev-parse', `HEAD:${path}`).trim();
    expect(ids).toEqual([...paths.map(blob), undefined, undefined, blob(''), undefined, blob('a.txt')]);
  });

  it('starts nothing for an empty request', async () => {
    expect(await objectIds('/nonexistent', [], {})).toEqual([]);
  });

  it('returns thousands of answers with one child', async ({ repository }) => {
    repository.write('a.txt', 'a');
    repository.commit('a');
    const ids = await objectIds(
      repository.root,
      Array.from({ length: 2000 }, (_, i) => (i % 2 ? 'HEAD:a.txt' : `HEAD:${i}`)),
      repository.env,
    );
    expect(ids?.filter(Boolean)).toHaveLength(1000);
  });

  it('is undefined, and never throws, for arguments that no program can take', async () => {
    const { root, env } = createRepository();
    expect(await runGit(root, ['rev-parse', 'a\0b'], env)).toBeUndefined();
    expect(await runGit(root, ['rev-parse', 'a'.repeat(4_000_000)], env)).toBeUndefined();
  });

  it('is undefined, and never throws, without git, outside a repository and in no folder', async () => {
    const folder = scratchFolder();
    expect(await objectIds(createRepository().root, ['HEAD'], { PATH: folder })).toBeUndefined();
    expect(await objectIds(folder, ['HEAD'], process.env)).toBeUndefined();
    expect(await objectIds(join(folder, 'none'), ['HEAD'], process.env)).toBeUndefined();
  });
});

describe('a git child', () => {
  it('is not misled by the variables that git sets for hooks', async () => {
    const [one, other] = [createRepository(), createRepository('other')];
    const env = {
      ...one.env,
      GIT_DIR: join(other.root, '.git'),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: '/nonexistent',
    };
    expect((await runGit(one.root, ['rev-parse', '--show-toplevel'], env))?.trim()).toBe(one.root);
  });

  it('keeps the user’s configuration, and disables locks, network and localisation', () => {
    expect(
      gitEnvironment({
        PATH: '/bin',
        HOME: '/h',
        GIT_CONFIG_GLOBAL: '/g',
        GIT_DIR: '/d',
        GIT_EDITOR: 'x',
        LC_ALL: 'de_DE',
      }),
    ).toEqual({
      PATH: '/bin',
      HOME: '/h',
      GIT_CONFIG_GLOBAL: '/g',
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
    });
  });

  it('that fails returns nothing, even when it closed its input early', async () => {
    const folder = scratchFolder();
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho half an answer\nexec <&-\nexit 1\n');
    chmodSync(join(bin, 'git'), 0o755);
    expect(
      await runGit(folder, ['x'], { PATH: `${bin}:/usr/bin:/bin` }, { input: 'x'.repeat(1_000_000) }),
    ).toBeUndefined();
  });
});
