import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobId, idOf } from '../../src/memory/id.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { type FileHistory, fileHistory } from '../../src/provenance/history.ts';
import { judgeOf } from '../../src/provenance/whereabouts.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf } from '../support/written-records.ts';

const LINES = Array.from({ length: 30 }, (_, i) => `export const line${i} = ${i};`);
const TEXT = `${LINES.join('\n')}\n`;
const EDITED = TEXT.replace('line7 = 7', 'line7 = 70');

/** A repository whose second commit the record was made at: src/a.ts is as the record saw it. */
function repositoryWithFile(): TestRepository & {
  commit(this: void, message: string): string;
  move(to: string): void;
} {
  const repository = createRepository();
  const { git, write } = repository;
  const commit = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD').trim();
  };
  write('other.txt', 'other\n');
  commit('first');
  write('src/a.ts', TEXT);
  commit('second');
  const move = (to: string) => {
    write(`${to}.keep`, '');
    git('mv', 'src/a.ts', to);
  };
  return { ...repository, commit, move };
}

async function fateOf(
  { root, env }: Pick<TestRepository, 'root' | 'env'>,
  { file = 'src/a.ts', blob = blobId(TEXT), commit }: { file?: string; blob?: string; commit?: string } = {},
): Promise<Partial<FileHistory>> {
  const workspace = openWorkspace(root, env);
  const record = observationOf({ id: idOf('fate'), anchors: { [file]: blob }, ...(commit && { commit }) });
  const [history] = await fileHistory(workspace, record);
  const whole = (await judgeOf(workspace, [record.anchors])).of(record.anchors);
  expect(whole).toBe(history?.freshness);
  const { file: _, ...rest } = history ?? { file: '' };
  return rest;
}

const subjectOf = ({ last }: Partial<FileHistory>) => last?.subject;

describe('a cited file, with its history', () => {
  type Made = ReturnType<typeof repositoryWithFile>;
  it.each<[what: string, how: (made: Made) => void, expected: Partial<FileHistory>, last?: string]>([
    ['nobody touched', () => {}, { freshness: 'fresh', commits_since: 0 }],
    ['is edited', ({ write }) => write('src/a.ts', EDITED), { freshness: 'touched', commits_since: 0 }],
    [
      'was edited in two commits',
      ({ write, commit }) => {
        write('src/a.ts', EDITED);
        commit('third');
        write('other.txt', 'unrelated\n');
        commit('unrelated');
        write('src/a.ts', `${EDITED}// more\n`);
        commit('fourth');
      },
      { freshness: 'touched', commits_since: 2 },
      'fourth',
    ],
    [
      'was edited and changed back',
      ({ write, commit }) => {
        write('src/a.ts', EDITED);
        commit('third');
        write('src/a.ts', TEXT);
        commit('revert');
      },
      { freshness: 'fresh', commits_since: 0 },
    ],
    [
      'was renamed',
      ({ move, commit }) => {
        move('src/b.ts');
        commit('rename');
      },
      { freshness: 'moved', moved_to: 'src/b.ts', commits_since: 1 },
      'rename',
    ],
    ['is renamed', ({ move }) => move('src/b.ts'), { freshness: 'moved', moved_to: 'src/b.ts', commits_since: 0 }],
    [
      'was renamed with an edit, and edited again',
      ({ move, commit, write }) => {
        move('src/b.ts');
        write('src/b.ts', EDITED);
        commit('rename and edit');
        write('src/b.ts', `${EDITED}// more\n`);
        commit('edit');
      },
      { freshness: 'touched', moved_to: 'src/b.ts', commits_since: 2 },
      'edit',
    ],
    [
      'is renamed with an edit',
      ({ move, write }) => {
        move('src/b.ts');
        write('src/b.ts', EDITED);
      },
      { freshness: 'touched', moved_to: 'src/b.ts', commits_since: 0 },
    ],
    [
      'was renamed twice with edits',
      ({ move, commit, write, git }) => {
        move('src/b.ts');
        write('src/b.ts', EDITED);
        commit('rename');
        git('mv', 'src/b.ts', 'src/c.ts');
        write('src/c.ts', `${EDITED}// more\n`);
        commit('rename again');
      },
      { freshness: 'touched', moved_to: 'src/c.ts', commits_since: 2 },
      'rename again',
    ],
    [
      'was deleted',
      ({ git, commit }) => {
        git('rm', '--quiet', 'src/a.ts');
        commit('delete');
      },
      { freshness: 'gone', commits_since: 1 },
      'delete',
    ],
    ['is deleted', ({ root }) => rmSync(join(root, 'src/a.ts')), { freshness: 'gone', commits_since: 0 }],
    [
      'only got another mode',
      ({ root, commit }) => {
        chmodSync(join(root, 'src/a.ts'), 0o755);
        commit('executable');
      },
      { freshness: 'fresh', commits_since: 0 },
    ],
    [
      'has Windows’s line ends in this checkout',
      ({ root, git }) => {
        git('config', 'core.autocrlf', 'true');
        rmSync(join(root, 'src/a.ts'));
        git('checkout', '--quiet', '--', 'src/a.ts');
      },
      { freshness: 'fresh', commits_since: 0 },
    ],
    [
      'is left out by a sparse checkout',
      ({ git }) => git('sparse-checkout', 'set', '--no-cone', '/other.txt'),
      { freshness: 'fresh', commits_since: 0 },
    ],
    [
      'was edited and is left out by a sparse checkout',
      ({ git, write, commit }) => {
        write('src/a.ts', EDITED);
        commit('third');
        git('sparse-checkout', 'set', '--no-cone', '/other.txt');
      },
      { freshness: 'touched', commits_since: 1 },
      'third',
    ],
  ])('%s', async (_, how, expected, last) => {
    const made = repositoryWithFile();
    how(made);
    const fate = await fateOf(made);
    expect(fate).toEqual({ ...expected, ...(last && { last: expect.objectContaining({ subject: last }) }) });
  });

  it('is recognised by its blob through squash and rebase, and by the commit where the blob was never committed', async () => {
    const made = repositoryWithFile();
    const { git, write, commit } = made;
    git('switch', '--quiet', '-c', 'work');
    write('src/a.ts', EDITED);
    commit('seen');
    const seen = { blob: blobId(EDITED), commit: git('rev-parse', 'HEAD').trim() };
    write('src/a.ts', `${EDITED}// more\n`);
    commit('more');
    expect(await fateOf(made, seen)).toMatchObject({ freshness: 'touched', commits_since: 1 });

    git('switch', '--quiet', 'main');
    write('other.txt', 'main went on\n');
    const base = commit('main');
    git('rebase', '--quiet', 'main', 'work');
    expect(await fateOf(made, seen)).toMatchObject({ commits_since: 1, last: { subject: 'more' } });

    git('switch', '--quiet', 'main');
    git('merge', '--quiet', '--squash', 'work');
    commit('squashed');
    const squashed = await fateOf(made, seen);
    // Neither the blob nor the commit is in this history: nothing is counted rather than something wrong.
    expect(squashed).toEqual({ freshness: 'touched' });
    expect(await fateOf(made, { ...seen, commit: base })).toMatchObject({
      commits_since: 1,
      last: { subject: 'squashed' },
    });
  });

  it('says in a shallow clone that the history ends too early, and counts what is certain', async () => {
    const made = repositoryWithFile();
    const { folder, git, write, commit, env } = made;
    write('src/a.ts', EDITED);
    commit('third');
    write('src/a.ts', `${EDITED}// more\n`);
    commit('fourth');
    for (const [depth, blob, expected] of [
      ['1', blobId(TEXT), { freshness: 'touched', shallow: true }],
      [
        '2',
        blobId(EDITED),
        { freshness: 'touched', commits_since: 1, last: expect.objectContaining({ subject: 'fourth' }) },
      ],
      ['1', blobId(`${EDITED}// more\n`), { freshness: 'fresh', commits_since: 0 }],
    ] as const) {
      const root = join(folder, `shallow-${depth}-${blob.slice(0, 6)}`);
      git('clone', '--quiet', '--depth', depth, `file://${made.root}`, root);
      expect(await fateOf({ root, env }, { blob })).toEqual(expected);
    }
  });

  it('that a merge changed counts the merge once', async () => {
    const made = repositoryWithFile();
    const { git, write, commit } = made;
    git('switch', '--quiet', '-c', 'side');
    write('src/a.ts', TEXT.replace('line29 = 29', 'line29 = 290'));
    commit('at the end');
    git('switch', '--quiet', 'main');
    write('src/a.ts', TEXT.replace('line0 = 0', 'line0 = 100'));
    commit('at the beginning');
    git('merge', '--quiet', '--no-edit', 'side');
    expect(await fateOf(made)).toMatchObject({ freshness: 'touched', commits_since: 3 });
  });

  it('in a submodule is compared with the checked-out content, and unknown without it', async () => {
    const library = repositoryWithFile();
    const made = repositoryWithFile();
    made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'lib');
    made.commit('library');
    const cited = { file: 'lib/src/a.ts' };
    expect(await fateOf(made, cited)).toMatchObject({ freshness: 'fresh' });
    writeFileSync(join(made.root, 'lib/src/a.ts'), EDITED);
    expect(await fateOf(made, cited)).toMatchObject({ freshness: 'touched' });
    made.git('submodule', '--quiet', 'deinit', '--force', 'lib');
    expect(await fateOf(made, cited)).toEqual({ freshness: 'unknown' });
  });

  it('that is a link is its target’s content or path, and nothing outside is read', async () => {
    const made = repositoryWithFile();
    symlinkSync('src/a.ts', join(made.root, 'link.ts'));
    expect(await fateOf(made, { file: 'link.ts' })).toMatchObject({ freshness: 'fresh' });
    expect(await fateOf(made, { file: 'link.ts', blob: blobId('src/a.ts') })).toMatchObject({ freshness: 'fresh' });
    expect(await fateOf(made, { file: 'link.ts', blob: blobId('else') })).toMatchObject({ freshness: 'touched' });
    writeFileSync(join(made.folder, 'outside.ts'), TEXT);
    symlinkSync('../outside.ts', join(made.root, 'out.ts'));
    expect(await fateOf(made, { file: 'out.ts' })).toMatchObject({ freshness: 'touched' });
  });

  it('may have any letters in its name, and any characters in its author and subject', async () => {
    const made = repositoryWithFile();
    const file = 'src/ö "x" :100644 é.ts';
    made.write(file, TEXT);
    made.commit('added');
    made.write(file, EDITED);
    made.git('add', '--all');
    made.git('commit', '--quiet', '-m', 'x\u0001\u0002y', '--author', 'A\u0001 \u0002B <a@example.com>');
    const fate = await fateOf(made, { file });
    expect(fate).toMatchObject({ freshness: 'touched', commits_since: 1 });
    made.git('mv', file, 'src/plain.ts');
    expect(await fateOf(made, { file, blob: blobId(EDITED) })).toMatchObject({
      freshness: 'moved',
      moved_to: 'src/plain.ts',
    });
  });

  it('is not confused with another empty file', async () => {
    const made = repositoryWithFile();
    made.write('src/empty.ts', '');
    made.write('elsewhere/empty.ts', '');
    made.commit('empty');
    renameSync(join(made.root, 'src/empty.ts'), join(made.folder, 'away'));
    expect(subjectOf(await fateOf(made, { file: 'src/empty.ts', blob: blobId('') }))).toBeUndefined();
    expect(await fateOf(made, { file: 'src/empty.ts', blob: blobId('') })).toMatchObject({ freshness: 'gone' });
  });
});
