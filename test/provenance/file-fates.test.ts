import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endAsked, listAsked } from '../../src/git/asked.ts';
import { blobId, idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { openWorkspace, type Workspace, workspaceAt } from '../../src/memory/store/workspace.ts';
import { noteCited } from '../../src/provenance/bound-names.ts';
import type { RecordFreshness } from '../../src/provenance/freshness.ts';
import { walkAdditions } from '../../src/provenance/recorded-walk.ts';
import { noteRenames } from '../../src/provenance/renamed-files.ts';
import { untrackedRecords } from '../../src/provenance/untracked.ts';
import { freshnessOf } from '../../src/provenance/whereabouts.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const it = test.extend('made', () => withRecord());

const LINES = Array.from({ length: 30 }, (_, i) => `export const line${i}Of = ${i};`);
const TEXT = `${LINES.join('\n')}\n`;
const EDITED = TEXT.replace('line3Of = 3', 'line3Of = 30');
const WITHOUT = TEXT.replace('line7Of', 'other');

type Made = Omit<TestRepository, 'commit'> & { commit(this: void, message: string): string; record: Observation };

/** A repository in which a record names line7Of of src/a.ts; it is committed with the file, or not at all. */
function withRecord({ file = 'src/a.ts', text = TEXT, isCommitted = true } = {}): Made {
  const repository = createRepository();
  const { git, write } = repository;
  const commit = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD').trim();
  };
  write('other.txt', 'other\n');
  commit('first');
  write(file, text);
  const record = cites(file, text);
  if (!isCommitted) commit('second');
  put(repository, record);
  if (isCommitted) commit('second');
  return { ...repository, commit, record };
}

function cites(file: string, text: string): Observation {
  const anchors = { [file]: blobId(text) };
  return observationOf({ id: idOf(file), title: 'line7Of is the seventh', files_modified: [file], anchors });
}

async function judge(
  made: Pick<Made, 'root' | 'env' | 'record'>,
  { isHook = false, at }: { isHook?: boolean; at?: string } = {},
): Promise<RecordFreshness> {
  const here = openWorkspace(made.root, made.env);
  const workspace = at === undefined ? here : await workspaceAt(here, at);
  const stored = storedIn(workspace, made.record);
  return (await freshnessOf(workspace, [stored], { isHook }))(stored.blob);
}

function storedIn({ stores }: Workspace, { id }: Observation) {
  for (const entry of stores.team.newest('observation')) if (entry.id === id) return stores.team.read(entry);
  throw new Error('There is no such record.');
}

/** What a drain does in the background. */
async function drain({ root, env }: Pick<Made, 'root' | 'env'>, cited = ['src/a.ts']): Promise<void> {
  const workspace = openWorkspace(root, env);
  await walkAdditions(workspace);
  await noteRenames(workspace, async () => cited);
}

describe('a record whose file', () => {
  it.each<[what: string, how: (made: Made) => unknown, expected: string, movedTo?: string]>([
    ['nobody touched', () => {}, 'fresh'],
    ['is edited elsewhere', ({ write }) => write('src/a.ts', EDITED), 'fresh'],
    ['lost the name', ({ write }) => write('src/a.ts', WITHOUT), 'touched'],
    [
      'lost the name and got it back',
      ({ write, commit }) => [write('src/a.ts', WITHOUT), commit('third'), write('src/a.ts', EDITED), commit('fourth')],
      'fresh',
    ],
    ['was renamed', ({ git, commit }) => [git('mv', 'src/a.ts', 'b.ts'), commit('rename')], 'moved', 'b.ts'],
    ['is renamed, and that is staged', ({ git }) => git('mv', 'src/a.ts', 'b.ts'), 'moved', 'b.ts'],
    [
      'was renamed with an edit, and edited again',
      ({ git, commit, write }) => [
        git('mv', 'src/a.ts', 'b.ts'),
        write('b.ts', EDITED),
        commit('rename and edit'),
        write('b.ts', `${EDITED}// more\n`),
        commit('edit'),
      ],
      'moved',
      'b.ts',
    ],
    [
      'was renamed and lost the name',
      ({ git, commit, write }) => [git('mv', 'src/a.ts', 'b.ts'), write('b.ts', WITHOUT), commit('rename')],
      'touched',
      'b.ts',
    ],
    [
      'was renamed twice with edits',
      ({ git, commit, write }) => [
        git('mv', 'src/a.ts', 'b.ts'),
        write('b.ts', EDITED),
        commit('rename'),
        git('mv', 'b.ts', 'c.ts'),
        write('c.ts', `${EDITED}// more\n`),
        commit('rename again'),
      ],
      'moved',
      'c.ts',
    ],
    [
      'was renamed twice on a branch that was merged',
      ({ git, commit }) => [
        git('switch', '--quiet', '-c', 'work'),
        git('mv', 'src/a.ts', 'b.ts'),
        commit('rename'),
        git('mv', 'b.ts', 'c.ts'),
        commit('rename again'),
        git('switch', '--quiet', '-'),
        commit('meanwhile'),
        git('merge', '--quiet', '--no-edit', 'work'),
      ],
      'moved',
      'c.ts',
    ],
    [
      'became a folder with its name',
      ({ root, git, commit }) => [
        git('mv', 'src/a.ts', 'between.ts'),
        mkdirSync(join(root, 'src/a.ts')),
        git('mv', 'between.ts', 'src/a.ts/index.ts'),
        commit('folder'),
      ],
      'moved',
      'src/a.ts/index.ts',
    ],
    ['was deleted', ({ git, commit }) => [git('rm', '--quiet', 'src/a.ts'), commit('delete')], 'gone'],
    ['is deleted', ({ root }) => rmSync(join(root, 'src/a.ts')), 'gone'],
    [
      'only got another mode',
      ({ root, commit }) => [chmodSync(join(root, 'src/a.ts'), 0o755), commit('mode')],
      'fresh',
    ],
    [
      'has Windows’s line ends in this checkout',
      ({ root, git }) => [
        git('config', 'core.autocrlf', 'true'),
        rmSync(join(root, 'src/a.ts')),
        git('checkout', '--quiet', '--', 'src/a.ts'),
      ],
      'fresh',
    ],
    [
      'is left out by a sparse checkout',
      ({ git }) => git('sparse-checkout', 'set', '--no-cone', '/other.txt', '/.memory'),
      'fresh',
    ],
    [
      'lost the name and is left out by a sparse checkout',
      ({ git, write, commit }) => [
        write('src/a.ts', WITHOUT),
        commit('third'),
        git('sparse-checkout', 'set', '--no-cone', '/other.txt', '/.memory'),
      ],
      'touched',
    ],
    [
      'was renamed to what a sparse checkout leaves out',
      ({ git, commit }) => [
        git('mv', 'src/a.ts', 'src/b.ts'),
        commit('rename'),
        git('sparse-checkout', 'set', '--no-cone', '/other.txt', '/.memory'),
      ],
      'moved',
      'src/b.ts',
    ],
    ['became a folder', ({ root, write }) => [rmSync(join(root, 'src/a.ts')), write('src/a.ts/b.ts', TEXT)], 'gone'],
    [
      'is a link to one that has the name',
      ({ root }) => [
        renameSync(join(root, 'src/a.ts'), join(root, 'x.ts')),
        symlinkSync('../x.ts', join(root, 'src/a.ts')),
      ],
      'fresh',
    ],
  ])('%s', async (_, how, expected, movedTo) => {
    const made = withRecord();
    how(made);
    const { freshness, files, missing } = await judge(made);
    expect(freshness).toBe(expected);
    expect(files[0]?.movedTo).toBe(movedTo);
    const isMissing = expected === 'touched' || expected === 'gone';
    expect(missing).toEqual(isMissing ? [{ path: 'src/a.ts', name: 'line7Of' }] : []);
    // A hook gives the same answer, once the background knows what it does not ask itself.
    await drain(made);
    expect((await judge(made, { isHook: true })).freshness).toBe(expected);
  });

  it('was edited further before the record was committed is compared with what was committed', async () => {
    const made = withRecord({ isCommitted: false });
    await noteCited(openWorkspace(made.root, made.env), made.record);
    expect((await judge(made)).freshness).toBe('fresh');
    made.write('src/a.ts', WITHOUT);
    expect((await judge(made)).freshness).toBe('touched');
    made.commit('with the record');
    expect((await judge(made)).freshness).toBe('fresh');
  });

  it('was removed by the very commit that brought the record is not held against it', async () => {
    const made = withRecord({ isCommitted: false });
    made.git('rm', '--quiet', 'src/a.ts');
    made.commit('with the record');
    expect(await judge(made)).toMatchObject({ freshness: 'unknown', files: [] });
  });

  it('is judged by a rewritten commit too, of which only the new ones are walked', async ({ made }) => {
    await drain(made);
    made.git('commit', '--quiet', '--amend', '-m', 'second, again');
    made.git('reflog', 'expire', '--expire=now', '--all');
    made.git('gc', '--quiet', '--prune=now');
    made.write('src/a.ts', WITHOUT);
    expect((await judge(made)).freshness).toBe('touched');
  });
});

describe('answers are the same in a repository with', () => {
  it.each<[what: string, set: (made: Made) => unknown]>([
    ['a split index', ({ git }) => git('update-index', '--split-index')],
    ['an index of version 4', ({ git }) => git('update-index', '--index-version', '4')],
    ['a sparse index', ({ git }) => git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src', '.memory')],
    ['a cache of untracked files', ({ git }) => git('update-index', '--force-untracked-cache')],
    [
      'a monitor of its files',
      ({ git, root }) => {
        writeFileSync(join(root, '.git/monitor'), '#!/bin/sh\nprintf "now\\0/\\0"\n', { mode: 0o755 });
        git('config', 'core.fsmonitor', '.git/monitor');
      },
    ],
  ])('%s', async (_, set) => {
    const made = withRecord();
    mkdirSync(join(made.root, 'apart'));
    made.write('apart/c.ts', TEXT);
    made.commit('third');
    set(made);
    expect((await judge(made)).freshness).toBe('fresh');
    expect(await made.call('context')).toContain('line7Of is the seventh');
    made.git('mv', 'src/a.ts', 'src/b.ts');
    made.commit('moved');
    expect(await judge(made)).toMatchObject({ freshness: 'moved', files: [{ movedTo: 'src/b.ts' }] });
    made.write('src/b.ts', WITHOUT);
    expect((await judge(made)).freshness).toBe('touched');
    expect(await untrackedRecords(openWorkspace(made.root, made.env))).toEqual([]);
    put(made, cites('src/b.ts', WITHOUT));
    expect(await untrackedRecords(openWorkspace(made.root, made.env))).toHaveLength(1);
  });
});

describe('git is asked', () => {
  async function asked(work: () => Promise<unknown>): Promise<string[]> {
    const list = listAsked();
    await work();
    endAsked();
    return list.map(({ args }) => args.filter((arg) => !arg.startsWith('-'))[0] ?? '');
  }

  it('once about a record, and not at all after that', async ({ made }) => {
    await drain(made);
    expect(await asked(() => judge(made, { isHook: true }))).toEqual(['cat-file']);
    expect(await asked(() => judge(made, { isHook: true }))).toEqual([]);
    expect(await asked(() => judge(made))).toEqual([]);
  });

  it('once what became of a missing file, also where history does not say', async ({ made }) => {
    made.git('rm', '--quiet', 'src/a.ts');
    made.commit('third');
    const shallow = { ...made, root: join(made.folder, 'shallow') };
    made.git('clone', '--quiet', '--depth', '1', `file://${made.root}`, shallow.root);
    expect((await judge(shallow)).freshness).toBe('unknown');
    expect(await asked(() => judge(shallow))).toEqual([]);
  });

  it('nothing about history by a hook, which does not call gone what nobody looked for', async ({ made }) => {
    made.git('mv', 'src/a.ts', 'b.ts');
    made.commit('rename');
    expect(await asked(async () => expect((await judge(made, { isHook: true })).freshness).toBe('unknown'))).toEqual([
      'cat-file',
    ]);
  });
});

it('a name is not missing that the commit of the record removed, also while that commit is not known', async () => {
  const made = withRecord({ isCommitted: false });
  made.write('src/a.ts', WITHOUT);
  made.commit('with the record');
  expect((await judge(made, { isHook: true })).freshness).toBe('unknown');
  expect((await judge(made)).freshness).toBe('fresh');
  expect((await judge(made, { isHook: true })).freshness).toBe('fresh');
});

describe('a clone that lacks something', () => {
  it('that is shallow says unknown where the file changed, and knows what is as it was', async ({ made }) => {
    made.write('other.txt', 'more\n');
    made.commit('third');
    const shallow = { ...made, root: join(made.folder, 'shallow') };
    made.git('clone', '--quiet', '--depth', '1', `file://${made.root}`, shallow.root);
    await drain(shallow);
    expect((await judge(shallow)).freshness).toBe('fresh');
    writeFileSync(join(shallow.root, 'src/a.ts'), EDITED);
    // The blob of the anchor is here: the file of HEAD.
    expect((await judge(shallow)).freshness).toBe('fresh');
    made.write('src/a.ts', WITHOUT);
    made.commit('fourth');
    const later = { ...made, root: join(made.folder, 'later') };
    made.git('clone', '--quiet', '--depth', '1', `file://${made.root}`, later.root);
    expect((await judge(later)).freshness).toBe('unknown');
    // Whatever stood there then, all that the record says stands there.
    writeFileSync(join(later.root, 'src/a.ts'), EDITED);
    expect((await judge(later)).freshness).toBe('fresh');
    writeFileSync(join(later.root, 'src/a.ts'), WITHOUT);
    made.git('-C', later.root, 'fetch', '--quiet', '--unshallow');
    expect((await judge(later)).freshness).toBe('touched');
  });

  it('that is partial fetches nothing', async ({ made }) => {
    made.write('src/a.ts', WITHOUT);
    made.commit('third');
    made.git('config', 'uploadpack.allowFilter', 'true');
    const partial = { ...made, root: join(made.folder, 'partial') };
    made.git('clone', '--quiet', '--filter=blob:none', `file://${made.root}`, partial.root);
    const objects = () => made.git('-C', partial.root, 'count-objects', '-v');
    const before = objects();
    expect((await judge(partial)).freshness).toBe('unknown');
    expect(objects()).toBe(before);
  });

  it('that is partial knows what is here beside what is not', async ({ made }) => {
    made.write('src/b.ts', `${TEXT}// b\n`);
    const other = cites('src/b.ts', `${TEXT}// b\n`);
    put(made, other);
    made.commit('third');
    made.write('src/b.ts', WITHOUT);
    made.commit('fourth');
    made.git('config', 'uploadpack.allowFilter', 'true');
    const root = join(made.folder, 'partial');
    made.git('clone', '--quiet', '--filter=blob:none', `file://${made.root}`, root);
    writeFileSync(join(root, 'src/a.ts'), WITHOUT);
    const workspace = openWorkspace(root, made.env);
    const records = [other, made.record].map((record) => storedIn(workspace, record));
    const freshness = await freshnessOf(workspace, records);
    expect(records.map(({ blob }) => freshness(blob).freshness)).toEqual(['unknown', 'touched']);
  });

  it('that did not check out a submodule says unknown about its files', async ({ made: library }) => {
    const made = { ...withRecord(), record: cites('lib/src/a.ts', TEXT) };
    made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'lib');
    put(made, made.record);
    expect((await judge(made)).freshness).toBe('fresh');
    made.commit('library');
    made.git('submodule', '--quiet', 'deinit', '--force', 'lib');
    expect((await judge(made)).freshness).toBe('unknown');
  });

  it('with pointers of git LFS compares pointers', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 3\n`;
    const made = withRecord({ text: pointer });
    expect((await judge(made)).freshness).toBe('fresh');
    made.write('src/a.ts', pointer.replace('size 3', 'size 4'));
    expect((await judge(made)).freshness).toBe('unknown');
  });
});

it('content that git LFS put in the place of a pointer is what the pointer says', async () => {
  const content = 'a large file\n';
  const oid = createHash('sha256').update(content).digest('hex');
  const made = withRecord({ text: `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 13\n` });
  made.write('src/a.ts', content);
  expect((await judge(made)).freshness).toBe('fresh');
  made.write('src/a.ts', `${content}more\n`);
  expect((await judge(made)).freshness).toBe('unknown');
});

it('a record is judged as of a commit by its tree', async ({ made }) => {
  const then = made.git('rev-parse', 'HEAD').trim();
  made.write('src/a.ts', WITHOUT);
  const without = made.commit('third');
  made.git('mv', 'src/a.ts', 'b.ts');
  const renamed = made.commit('fourth');
  made.git('rm', '--quiet', 'b.ts');
  made.commit('fifth');
  await drain(made);
  expect((await judge(made, { at: then })).freshness).toBe('fresh');
  expect((await judge(made, { at: without })).freshness).toBe('touched');
  expect((await judge(made, { at: renamed })).freshness).toBe('touched');
  expect((await judge(made)).freshness).toBe('gone');
});

it('another empty file is not taken for an empty one', async () => {
  const made = withRecord({ file: 'src/empty.ts', text: '' });
  made.write('elsewhere/empty.ts', '');
  made.commit('another');
  made.git('rm', '--quiet', 'src/empty.ts');
  made.commit('removed');
  expect((await judge(made)).freshness).toBe('gone');
  expect((await judge(made, { at: 'HEAD' })).freshness).not.toBe('moved');
});

it('a file may have any letters in its name', async () => {
  const file = 'src/ö "x" :100644 é.ts';
  const made = withRecord({ file });
  made.write(file, WITHOUT);
  expect((await judge(made)).freshness).toBe('touched');
  made.write(file, TEXT);
  made.git('mv', file, 'src/plain.ts');
  expect(await judge(made)).toMatchObject({ freshness: 'moved', files: [{ movedTo: 'src/plain.ts' }] });
});
