import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put, summaryOf } from '../support/written-records.ts';

interface Group {
  lines: { from: number; to: number }[];
  commit: string | null;
  subject: string | null;
  path: string;
  records: { id: string; evidence: string; trust: string; title: string }[];
}

async function blame(repository: TestRepository, ...args: string[]): Promise<Group[]> {
  const { code, stdout, stderr } = await gitMem(repository, ['blame', '--json', ...args]);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout).groups;
}

/** What is said of each commit, by its subject: `id evidence`. */
const said = (groups: Group[]) =>
  Object.fromEntries(
    groups.map(({ subject, records }) => [subject ?? '', records.map(({ id, evidence }) => `${id} ${evidence}`)]),
  );

const [A, B, C] = ['aaaaaaaaa1', 'bbbbbbbbb1', 'ccccccccc1'];

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

describe('git mem blame', () => {
  it('shows at most as many groups of lines with a record as are asked for', async () => {
    const repository = base();
    for (const [id, line] of [
      [A, 3],
      [B, 6],
    ] as const) {
      repository.write('src/a.ts', lines(line === 3 ? { 3: 'three' } : { 3: 'three', 6: 'six' }));
      put(repository, worked(repository, id));
      commitAll(repository, id);
    }
    const { stdout, stderr } = await gitMem(repository, ['blame', '-n', '1', 'src/a.ts']);
    expect([stdout.match(/^\S/gm)?.length, stderr]).toEqual([1, '1 more: --limit 2 shows them all.\n']);
    const asked = await gitMem(repository, ['blame', '--json', '--limit', '1', 'src/a.ts']);
    const { total, groups } = JSON.parse(asked.stdout);
    expect([total, groups.length, groups[0].records.length > 0]).toEqual([2, 1, true]);
    expect((await blame(repository, 'src/a.ts')).length).toBe(3);
  });

  it('names the record that came with the commit, for the lines of that commit alone', async () => {
    const repository = base();
    repository.write('src/a.ts', lines({ 3: 'three', 4: 'four', 8: 'eight' }));
    put(repository, worked(repository, A, { title: 'Count in words' }));
    commitAll(repository, 'words');
    const groups = await blame(repository, 'src/a.ts');
    expect(said(groups)).toEqual({ base: [], words: [`${A} same-commit`] });
    expect(groups.find(({ subject }) => subject === 'words')).toMatchObject({
      lines: [
        { from: 3, to: 4 },
        { from: 8, to: 8 },
      ],
      records: [{ id: A, title: 'Count in words', trust: 'reviewed' }],
    });
  });

  it('takes from a squashed branch only records that cite the file, or no file', async () => {
    const repository = base();
    repository.write('src/a.ts', lines({ 3: 'three' }));
    put(repository, worked(repository, A));
    put(repository, worked(repository, B, { files_modified: ['src/b.ts'] }));
    put(repository, observationOf({ id: C, type: 'decision' }));
    put(repository, summaryOf({ id: 'ddddddddd1', files_edited: ['src/a.ts'] }));
    commitAll(repository, 'squash');
    expect(said(await blame(repository, 'src/a.ts:3')).squash?.sort()).toEqual(
      [A, C, 'ddddddddd1'].map((id) => `${id} same-commit`),
    );
  });

  it('recognises a record that was committed later or never by the content it cites', async () => {
    const repository = base();
    repository.write('src/a.ts', lines({ 3: 'three' }));
    const blob = repository.git('hash-object', 'src/a.ts').trim();
    const read = observationOf({ id: B, files_read: ['src/a.ts'], anchors: { 'src/a.ts': blob } });
    put(repository, worked(repository, A, { anchors: { 'src/a.ts': blob }, commit: 'f'.repeat(40) }));
    put(repository, read, 'private');
    commitAll(repository, 'words', 'src');
    repository.write('src/a.ts', lines({ 3: 'three', 5: 'five' }));
    commitAll(repository, 'more', 'src');
    expect(said(await blame(repository, 'src/a.ts'))).toEqual({ base: [], words: [`${A} same-content`], more: [] });
  });

  it('recognises it by the first change after it where a formatter ran, or other work came in between', async () => {
    const repository = base();
    put(repository, worked(repository, A, { anchors: { 'src/a.ts': '1'.repeat(40) } }));
    repository.write('other.txt', 'x\n');
    commitAll(repository, 'other', 'other.txt');
    repository.write('src/a.ts', lines({ 3: 'three' }));
    commitAll(repository, 'words', 'src');
    repository.write('src/a.ts', lines({ 3: 'three', 5: 'five' }));
    commitAll(repository, 'more', 'src');
    expect(said(await blame(repository, 'src/a.ts'))).toEqual({ base: [], words: [`${A} next-change`], more: [] });
  });

  it('treats uncommitted lines as work that nobody has committed yet', async () => {
    const repository = base();
    put(repository, worked(repository, A));
    // A commit of the memory alone moves HEAD, and changes nothing about that.
    commitAll(repository, 'memory', '.memory');
    repository.write('src/a.ts', lines({ 3: 'three' }));
    const groups = await blame(repository, 'src/a.ts');
    expect(said(groups)).toEqual({ base: [], '': [`${A} uncommitted`] });
    expect(groups.find(({ commit }) => commit === null)?.lines).toEqual([{ from: 3, to: 3 }]);
    commitAll(repository, 'words', 'src');
    expect(said(await blame(repository, 'src/a.ts'))).toEqual({ base: [], words: [`${A} next-change`] });
  });

  it('follows a renamed file to the name that the record knew', async () => {
    const repository = base();
    repository.write('src/a.ts', lines({ 3: 'three' }));
    put(repository, worked(repository, A));
    commitAll(repository, 'words');
    repository.git('mv', 'src/a.ts', 'src/with "odd" näme.ts');
    commitAll(repository, 'moved');
    const groups = await blame(repository, 'src/with "odd" näme.ts:3');
    expect(groups).toMatchObject([{ path: 'src/a.ts', records: [{ id: A }] }]);
  });

  it('answers as of a revision', async () => {
    const repository = base();
    repository.write('src/a.ts', lines({ 3: 'three' }));
    put(repository, worked(repository, A));
    commitAll(repository, 'words');
    repository.write('src/a.ts', lines({ 3: 'III' }));
    put(repository, worked(repository, B));
    commitAll(repository, 'roman');
    expect(said(await blame(repository, 'src/a.ts:3'))).toEqual({ roman: [`${B} same-commit`] });
    expect(said(await blame(repository, 'src/a.ts:3', '--at', 'HEAD~1'))).toEqual({ words: [`${A} same-commit`] });
    expect(said(await blame(repository, 'src/a.ts:3', '--at', 'HEAD~2'))).toEqual({ base: [] });
  });

  it('prints lines, commit and evidence, and nothing for lines without a known record', async () => {
    const repository = base();
    repository.write('src/a.ts', lines({ 3: 'three', 4: 'four', 8: 'eight' }));
    put(repository, worked(repository, A, { type: 'bugfix', title: 'Count in words' }));
    commitAll(repository, 'words \u001b[31mred');
    const { stdout } = await gitMem(repository, ['blame', 'src/a.ts']);
    expect(stdout).toMatch(
      /^3-4, 8 {2}[0-9a-f]{8} \d{4}-\d\d-\d\d words red\n {2}aaaa bugfix {4}Count in words {2}\[same commit\]\n$/,
    );
    const none = await gitMem(repository, ['blame', 'src/a.ts:1-2']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No record explains') });
  });

  it('takes paths relative to the current directory, and a file whose name looks like lines as a file', async () => {
    const repository = base();
    repository.write('src/odd:3', 'x\n');
    commitAll(repository, 'odd');
    const cwd = join(repository.root, 'src');
    const { stdout } = await gitMem(repository, ['blame', '--json', 'a.ts:2-'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'src/a.ts',
      at: null,
      groups: [{ lines: [{ from: 2, to: 10 }] }],
    });
    expect((await blame(repository, 'src/odd:3'))[0]?.lines).toEqual([{ from: 1, to: 1 }]);
  });

  it.each([
    [['nowhere.ts'], 'git does not know nowhere.ts.'],
    [['src/a.ts:11-12'], 'or does not have lines 11 to 12'],
    [['src/a.ts:0'], '0 are not lines'],
    [['src/a.ts:7-3'], '7-3 are not lines'],
    [['../outside.ts'], 'not a file of this repository'],
    [['src/a.ts', '--at', 'nowhere'], 'names no commit'],
    [['untracked.ts'], 'git does not know untracked.ts.'],
  ])('explains what is wrong with %j', async (args, message) => {
    const repository = base();
    writeFileSync(join(repository.root, 'untracked.ts'), 'x\n');
    const { code, stdout, stderr } = await gitMem(repository, ['blame', ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});
