import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put, summaryOf } from '../support/written-records.ts';

const it = test.extend('repository', () => base());

interface Group {
  lines: { from: number; to: number }[];
  commit: string | null;
  subject: string | null;
  reason: string;
  path: string;
  records: { id: string; trust: string; title: string }[];
}

async function why(repository: TestRepository, ...args: string[]): Promise<Group[]> {
  const { code, stdout, stderr } = await gitMem(repository, ['why', '--json', ...args]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout).groups;
}

/** The records of each commit, by its subject. */
const said = (groups: Group[]) =>
  Object.fromEntries(groups.map(({ subject, records }) => [subject ?? '', records.map(({ id }) => id)]));

const [A, B, C, D] = ['aaaaaaaaa1', 'bbbbbbbbb1', 'ccccccccc1', 'ddddddddd1'];

/** A record of work on `src/a.ts` that begins at HEAD. */
function worked({ git }: TestRepository, id: string, fields: Partial<Parameters<typeof observationOf>[0]> = {}) {
  return observationOf({ id, files_modified: ['src/a.ts'], commit: git('rev-parse', 'HEAD').trim(), ...fields });
}

function commitAll({ git }: TestRepository, subject: string, ...paths: string[]): void {
  git('add', ...(paths.length > 0 ? paths : ['.']));
  git('commit', '--quiet', '-m', subject);
}

/** Ten lines in one commit. */
function base(): TestRepository {
  const repository = createRepository();
  repository.write('src/a.ts', lines());
  commitAll(repository, 'base');
  return repository;
}

function lines(changes: Record<number, string> = {}): string {
  return Array.from({ length: 10 }, (_, i) => `${changes[i + 1] ?? `line ${i + 1}`}\n`).join('');
}

describe('git mem why FILE', () => {
  it('names the record that was recorded in the commit, for the lines of that commit alone, and its reason', async () => {
    const repository = base();
    repository.write('src/a.ts', lines({ 3: 'three', 4: 'four', 8: 'eight' }));
    put(repository, worked(repository, A, { title: 'Count in words' }));
    commitAll(repository, 'words\n\nReaders asked for them.\n\nReviewed-by: Ann <ann@example.com>');
    const groups = await why(repository, 'src/a.ts');
    expect(said(groups)).toEqual({ base: [], words: [A] });
    expect(groups.find(({ subject }) => subject === 'words')).toMatchObject({
      lines: [
        { from: 3, to: 4 },
        { from: 8, to: 8 },
      ],
      reason: 'Readers asked for them.',
      records: [{ id: A, title: 'Count in words', trust: 'reviewed' }],
    });
  });

  it('puts those of a squashed branch first that cite the file', async ({ repository }) => {
    repository.write('src/a.ts', lines({ 3: 'three' }));
    put(repository, worked(repository, B, { files_modified: ['src/b.ts'] }));
    put(repository, worked(repository, A));
    put(repository, summaryOf({ id: D, files_edited: ['src/a.ts'] }));
    commitAll(repository, 'squash');
    const found = said(await why(repository, 'src/a.ts:3')).squash ?? [];
    expect(found.slice(0, 2).sort()).toEqual([A, D]);
    expect(found.slice(2)).toEqual([B]);
  });

  it('claims no record by the content that it cites, nor by the next change of its file', async ({ repository }) => {
    repository.write('src/a.ts', lines({ 3: 'three' }));
    const blob = repository.git('hash-object', 'src/a.ts').trim();
    put(repository, worked(repository, A, { anchors: { 'src/a.ts': blob } }));
    commitAll(repository, 'words', 'src');
    commitAll(repository, 'memory', '.memory');
    repository.write('src/a.ts', lines({ 3: 'three', 5: 'five' }));
    commitAll(repository, 'more', 'src');
    repository.write('src/a.ts', lines({ 3: 'three', 5: 'five', 7: 'seven' }));
    expect(said(await why(repository, 'src/a.ts'))).toEqual({ base: [], words: [], more: [], '': [] });
  });

  it('names the records of a session in which this clone saw the commit made', async ({ repository }) => {
    repository.write('src/a.ts', lines({ 3: 'three' }));
    commitAll(repository, 'words', 'src');
    const commits = [repository.git('rev-parse', 'HEAD').trim()];
    put(repository, worked(repository, A, { session: 's1' }));
    put(repository, worked(repository, B, { session: 's2' }));
    put(repository, summaryOf({ id: C, type: 'digest', session: 's1', commits }), 'private');
    expect(said(await why(repository, 'src/a.ts'))).toEqual({ base: [], words: [A] });
  });

  it('follows a renamed file to the name that the record knew', async ({ repository }) => {
    repository.write('src/a.ts', lines({ 3: 'three' }));
    put(repository, worked(repository, A));
    commitAll(repository, 'words');
    repository.git('mv', 'src/a.ts', 'src/with "odd" näme.ts');
    commitAll(repository, 'moved');
    const groups = await why(repository, 'src/with "odd" näme.ts:3');
    expect(groups).toMatchObject([{ path: 'src/a.ts', records: [{ id: A }] }]);
  });

  it('answers as of a revision', async ({ repository }) => {
    repository.write('src/a.ts', lines({ 3: 'three' }));
    put(repository, worked(repository, A));
    commitAll(repository, 'words');
    repository.write('src/a.ts', lines({ 3: 'III' }));
    put(repository, worked(repository, B));
    commitAll(repository, 'roman');
    expect(said(await why(repository, 'src/a.ts:3'))).toEqual({ roman: [B] });
    expect(said(await why(repository, 'src/a.ts:3', '--at', 'HEAD~1'))).toEqual({ words: [A] });
    expect(said(await why(repository, 'src/a.ts:3', '--at', 'HEAD~2'))).toEqual({ base: [] });
  });

  it('prints lines, commit, reason and records', async ({ repository }) => {
    repository.write('src/a.ts', lines({ 3: 'three', 4: 'four', 8: 'eight' }));
    put(repository, worked(repository, A, { type: 'bugfix', title: 'Count in words' }));
    commitAll(repository, 'words \u001b[31mred\n\nReaders asked\nfor them.');
    const { stdout } = await gitMem(repository, ['why', 'src/a.ts:2-8']);
    const told = stdout.replaceAll(/[0-9a-f]{8} \d{4}-\d\d-\d\d/g, 'COMMIT');
    expect(told).toContain(
      '3-4, 8  COMMIT Test: words red\n  Readers asked for them.\n  aaaa bugfix    Count in words\n',
    );
    expect(told).toContain('2, 5-7  COMMIT Test: base\n');
  });

  it('takes paths relative to the current directory, and a file whose name looks like lines or an id as a file', async () => {
    const repository = base();
    repository.write('src/odd:3', 'x\n');
    repository.write('src/make', 'x\n');
    commitAll(repository, 'odd');
    const cwd = join(repository.root, 'src');
    const { stdout } = await gitMem(repository, ['why', '--json', 'a.ts:2-'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ file: 'src/a.ts', groups: [{ lines: [{ from: 2, to: 10 }] }] });
    expect((await why(repository, 'src/odd:3'))[0]?.lines).toEqual([{ from: 1, to: 1 }]);
    expect(JSON.parse((await gitMem(repository, ['why', '--json', 'make'], { cwd })).stdout).file).toBe('src/make');
  });

  it('names nobody for lines from before the history of a shallow clone', async ({ repository }) => {
    repository.write('src/a.ts', lines({ 3: 'three' }));
    commitAll(repository, 'words');
    repository.write('src/a.ts', lines({ 3: 'three', 4: 'four' }));
    commitAll(repository, 'more words');
    const shallow = { ...repository, root: join(repository.folder, 'shallow') };
    repository.git('clone', '--quiet', '--depth', '2', `file://${repository.root}`, shallow.root);
    const groups = await why(shallow, 'src/a.ts:2-4');
    expect(groups).toMatchObject([
      { lines: [{ from: 2, to: 3 }], commit: null, author: null, history_ends: true },
      { lines: [{ from: 4, to: 4 }], subject: 'more words' },
    ]);
    expect(groups[1]).not.toHaveProperty('history_ends');
    const { stdout } = await gitMem(shallow, ['why', 'src/a.ts:2']);
    expect(stdout).toBe('2  unknown: the history here ends before them (a shallow clone)\n');
  });

  it.each([
    [['nowhere.ts'], 'git does not know nowhere.ts.'],
    [['src'], 'git does not know src.'],
    [['src/a.ts:11-12'], 'or does not have lines 11 to 12'],
    [['src/a.ts:0'], '0 are not lines'],
    [['src/a.ts:7-3'], '7-3 are not lines'],
    [['../outside.ts'], 'not a file of this repository'],
    [['src/a.ts', '--at', 'nowhere'], 'names no commit'],
    [['untracked.ts'], 'git does not know untracked.ts.'],
  ])('explains what is wrong with %j', async (args, message) => {
    const repository = base();
    writeFileSync(join(repository.root, 'untracked.ts'), 'x\n');
    const { code, stdout, stderr } = await gitMem(repository, ['why', ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});
