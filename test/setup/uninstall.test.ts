import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { HOSTS, hostFiles } from '../../src/setup/hosts.ts';
import { memoryFiles } from '../../src/setup/memory-files.ts';
import { readTemplate } from '../../src/templates.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';
import * as world from './world.ts';
import { placeOf, read, SETTINGS } from './world.ts';

const PATH = '.claude/settings.json';
const files = () => [...memoryFiles(), ...hostFiles(HOSTS)];

const setUp = (repository: TestRepository) => world.setUp(placeOf(repository), files());
const takeDown = (repository: TestRepository) => world.takeDown(placeOf(repository), files());

/** Every file of the checkout with its bytes and mode, and every folder. */
function snapshot({ root }: TestRepository): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (folder: string) => {
    for (const name of readdirSync(join(root, folder))) {
      const path = join(folder, name);
      if (path === '.git') continue;
      const { mode } = lstatSync(join(root, path));
      const isFolder = statSync(join(root, path)).isDirectory();
      found[path] = isFolder ? `folder ${mode}` : `${mode} ${readFileSync(join(root, path)).toString('base64')}`;
      if (isFolder) visit(path);
    }
  };
  visit('.');
  return found;
}

const forgetOriginals = ({ root }: TestRepository) => rmSync(join(root, '.git', 'git-mem'), { recursive: true });

describe('uninstall', () => {
  it('leaves nothing where there was nothing', ({ repository }) => {
    setUp(repository);
    expect(takeDown(repository)).toEqual(Object.fromEntries(files().map(({ path }) => [path, 'removed'])));
    expect(readdirSync(repository.root)).toEqual(['.git']);
    expect(takeDown(repository)).toEqual({});
  });

  it("leaves nothing in a colleague's clone either", ({ repository }) => {
    setUp(repository);
    forgetOriginals(repository);
    takeDown(repository);
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });

  const withoutContent = {
    'no byte in them': '',
    'an empty object on two lines': '{\n}\n',
    'empty hooks': '{"hooks": {"Stop": []}}',
  };
  it.each(Object.entries({ ...SETTINGS, ...withoutContent }))('restores settings with %s byte for byte', (_, text) => {
    const repository = createRepository();
    repository.write(PATH, text);
    const before = snapshot(repository);
    setUp(repository);
    setUp(repository);
    expect(takeDown(repository)[PATH]).toBe('restored');
    expect(snapshot(repository)).toEqual(before);
  });

  const cases = Object.entries(SETTINGS).filter(([name]) => name !== 'an empty object');
  it.each(cases)("restores settings with %s byte for byte in a colleague's clone, which has no backup", (_, text) => {
    const repository = createRepository();
    repository.write(PATH, text);
    const before = snapshot(repository);
    setUp(repository);
    forgetOriginals(repository);
    expect(takeDown(repository)[PATH]).toBe('updated');
    expect(snapshot(repository)).toEqual(before);
  });

  it('restores the bytes after an upgrade in between', ({ repository }) => {
    repository.write(PATH, '{ "model": "opus" }');
    const before = snapshot(repository);
    const older = files().map((file) => ({
      ...file,
      add: (current: string | undefined, isAsWritten: boolean) =>
        file.add(current, isAsWritten).replaceAll('|| true', '|| :').replace('# ', '# Old '),
    }));
    world.setUp(placeOf(repository), older);
    setUp(repository);
    expect(read(repository, PATH)).not.toContain('|| :');
    takeDown(repository);
    expect(snapshot(repository)).toEqual(before);
  });

  it("removes the launcher after an upgrade of a colleague's set-up", ({ repository }) => {
    setUp(repository);
    const older = readTemplate('init/hook').replace('#!/bin/sh\n', '#!/bin/sh\n# of an older version\n');
    repository.write('.memory/hook', older);
    forgetOriginals(repository);
    setUp(repository);
    expect(read(repository, '.memory/hook')).toBe(readTemplate('init/hook'));
    takeDown(repository);
    expect(readdirSync(repository.root)).toEqual(['.git']);
  });

  it("restores somebody else's file that was in the launcher's place", ({ repository }) => {
    repository.write('.memory/hook', 'notes about hooks\n');
    const before = snapshot(repository);
    setUp(repository);
    expect(takeDown(repository)['.memory/hook']).toBe('restored');
    expect(Object.keys(snapshot(repository))).toEqual(Object.keys(before));
    expect(read(repository, '.memory/hook')).toBe('notes about hooks\n');
  });

  it('removes only its own entries where others have edited since, including entries of an older version', () => {
    const repository = createRepository();
    repository.write(PATH, '{\n  "model": "opus"\n}\n');
    setUp(repository);
    const settings = read(repository, PATH).replace('"opus"', '"sonnet"').replaceAll('|| true', '|| :');
    repository.write(PATH, settings);
    expect(takeDown(repository)[PATH]).toBe('updated');
    expect(read(repository, PATH)).toBe('{\n  "model": "sonnet"\n}\n');
  });

  it('never removes records, nor files that people changed', ({ repository }) => {
    setUp(repository);
    repository.write('.memory/observations/2026-11/a.md', 'a record\n');
    repository.write('.memory/config.yaml', 'summaries: turn\n');
    expect(takeDown(repository)).toMatchObject({ '.memory/config.yaml': 'kept', '.memory/hook': 'removed' });
    expect(Object.keys(snapshot(repository)).filter((path) => path.includes('.'))).toEqual([
      '.memory',
      '.memory/config.yaml',
      '.memory/observations',
      '.memory/observations/2026-11',
      '.memory/observations/2026-11/a.md',
    ]);
  });

  const folders = ['.claude', '.claude/skills', '.claude/skills/mem-search', '.opencode'];
  it.each(folders)('leaves %s that existed before', (folder) => {
    const repository = createRepository();
    mkdirSync(join(repository.root, folder), { recursive: true });
    const before = snapshot(repository);
    setUp(repository);
    takeDown(repository);
    expect(snapshot(repository)).toEqual(before);
  });

  it('works in every worktree of the clone, whichever was set up', ({ repository }) => {
    repository.write(PATH, '{ }');
    setUp(repository);
    repository.commit('Set up');
    const other = join(repository.folder, 'other');
    repository.git('worktree', 'add', '--quiet', other);
    const place = { root: other, state: placeOf(repository).state };
    world.takeDown(place, files());
    expect(readFileSync(join(other, PATH), 'utf8')).toBe('{ }');
    expect(existsSync(join(other, '.memory'))).toBe(false);
    expect(existsSync(join(repository.root, '.memory/hook'))).toBe(true);
  });

  it('changes nothing when the settings cannot be parsed as JSON', ({ repository }) => {
    setUp(repository);
    repository.write(PATH, '{"hooks": ');
    const before = snapshot(repository);
    expect(() => takeDown(repository)).toThrow(expect.objectContaining({ code: 'bad-settings' }));
    expect(snapshot(repository)).toEqual(before);
  });
});
