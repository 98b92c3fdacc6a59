import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { untrackedFiles } from '../../src/provenance/untracked.ts';
import type { RecordPage } from '../../src/surfaces/viewer/record-protocol.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { startViewer } from '../support/viewer-client.ts';

const it = test.extend('world', () => written());

const WRITTEN = 'The importer reads rows of any length';
const CORRECTED = 'The importer reads rows of up to 4 KB';

/** A record that this clone wrote and did not commit, on a branch beside the reviewed one. */
async function written(): Promise<{ repository: TestRepository; path: string; edit: () => void }> {
  const repository = createRepository();
  repository.git('commit', '--quiet', '--allow-empty', '-m', 'base');
  repository.git('switch', '--quiet', '-c', 'work');
  const { path } = JSON.parse(await repository.call('add', '--type', 'discovery', '--title', WRITTEN, '--json'));
  const file = join(repository.root, path);
  const edit = () => writeFileSync(file, readFileSync(file, 'utf8').replace(WRITTEN, CORRECTED));
  return { repository, path, edit };
}

async function listed(repository: TestRepository): Promise<{ title: string; trust: string; edited: boolean }[]> {
  const { records } = JSON.parse(await repository.call('list', '--json'));
  return records.map(({ title, trust, edited }: Record<string, unknown>) => ({ title, trust, edited }));
}

/** A branch `theirs`, made in another clone, that holds the corrected text at the path of our record. */
function theirs({ folder, root, env }: TestRepository, path: string, text: string): void {
  const clone = join(folder, 'stranger');
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, env, stdio: 'ignore' });
  git(folder, 'clone', '--quiet', root, clone);
  git(clone, 'switch', '--quiet', '-c', 'theirs', 'origin/main');
  mkdirSync(join(clone, path, '..'), { recursive: true });
  writeFileSync(join(clone, path), text);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '-m', 'theirs');
  git(root, 'fetch', '--quiet', clone, 'theirs');
}

describe('a record that was corrected by hand before it was committed', () => {
  it('stays this clone’s own, is shown as edited, and is injected', async ({ world: { repository, edit } }) => {
    edit();
    expect(await listed(repository)).toEqual([{ title: CORRECTED, trust: 'own', edited: true }]);
    expect(await repository.call('context')).toContain(CORRECTED);
    expect(await repository.call('list')).toContain('edited');
    const [{ id }] = JSON.parse(await repository.call('list', '--json')).records;
    expect(await repository.call('show', id)).toContain('own, edited');
    expect(await repository.call('why', id)).toContain('own, edited. This clone wrote it');
    const { card } = await (await startViewer(repository)).ask<RecordPage>(`record/${id}`);
    expect(card).toMatchObject({ trust: 'own', edited: true });
  });

  it('stays so once it is committed', async ({ world: { repository, edit } }) => {
    edit();
    await repository.call('context');
    repository.commit('memory');
    expect(await listed(repository)).toEqual([{ title: CORRECTED, trust: 'own', edited: true }]);
  });

  it('stays so where one command corrected, staged and committed it', async ({ world: { repository, path, edit } }) => {
    edit();
    repository.git('add', path);
    expect((await gitMem(repository, ['pre-commit'])).stderr).not.toContain('may not be yours');
    repository.commit('memory');
    expect(await listed(repository)).toEqual([{ title: CORRECTED, trust: 'own', edited: true }]);
  });

  it('joins the next commit all the same', async ({ world: { repository, edit } }) => {
    edit();
    await repository.call('list');
    const { ownNewFiles } = await import('../../src/review/commit-policy.ts');
    const workspace = openWorkspace(repository.root, repository.env);
    const files = await ownNewFiles(workspace, [], (await untrackedFiles(workspace)) ?? []);
    expect(files.map(({ record }) => 'title' in record && record.title)).toEqual([CORRECTED]);
  });
});

describe('somebody else’s edit of a record that this clone wrote', () => {
  it.each([
    ['checkout', ['checkout', 'FETCH_HEAD', '--', '.memory']],
    ['restore', ['restore', '--source=FETCH_HEAD', '--', '.memory']],
    ['squash', ['merge', '--squash', '--allow-unrelated-histories', 'FETCH_HEAD']],
    ['pick', ['cherry-pick', '--no-commit', 'FETCH_HEAD']],
  ])('stays untrusted when it arrives by %s', async (_, command) => {
    const { repository, path } = await written();
    const text = readFileSync(join(repository.root, path), 'utf8');
    theirs(repository, path, text.replace(WRITTEN, CORRECTED));
    repository.git('clean', '--quiet', '--force', '-d', '.memory');
    repository.git(...command);
    expect(await listed(repository)).toEqual([{ title: CORRECTED, trust: 'unreviewed', edited: false }]);
    expect(await repository.call('context')).not.toContain(CORRECTED);
  });

  it('stays untrusted when a branch has it that was fetched long ago', async ({
    world: { repository, path, edit },
  }) => {
    edit();
    theirs(repository, path, readFileSync(join(repository.root, path), 'utf8'));
    repository.git('update-ref', 'refs/remotes/stranger/theirs', 'FETCH_HEAD');
    repository.git('fetch', '--quiet', '.', 'main');
    repository.git('checkout', 'stranger/theirs', '--', '.memory');
    expect(await listed(repository)).toMatchObject([{ trust: 'unreviewed' }]);
  });

  it('stays untrusted when it replaces one that was edited here', async ({ world: { repository, path, edit } }) => {
    edit();
    expect(await listed(repository)).toMatchObject([{ trust: 'own' }]);
    const text = readFileSync(join(repository.root, path), 'utf8');
    theirs(repository, path, text.replace(CORRECTED, 'Rows may be skipped'));
    repository.git('checkout', 'FETCH_HEAD', '--', '.memory');
    expect(await listed(repository)).toEqual([{ title: 'Rows may be skipped', trust: 'unreviewed', edited: false }]);
  });
});

it('a file in place of the ledger causes no failure', async ({ world: { repository } }) => {
  const { ledger } = openWorkspace(repository.root, repository.env);
  execFileSync('rm', [ledger]);
  mkdirSync(ledger);
  for (const command of [['list'], ['search', 'rows'], ['context']]) {
    const { code, stderr } = await gitMem(repository, command);
    expect([code, stderr.replace('1 record is not committed.\n', '')]).toEqual([0, '']);
  }
});

describe('a record of this clone whose text is not known to be a person’s', () => {
  it('is untrusted and named by list, start and commit: staged twice before git-mem ran, until it is accepted', async ({
    world: { repository, path, edit },
  }) => {
    repository.git('add', path);
    edit();
    repository.git('add', path);
    expect(await listed(repository)).toMatchObject([{ trust: 'unreviewed' }]);
    const said = 'has text that may not be yours';
    expect((await gitMem(repository, ['list'])).stderr).toContain(said);
    expect(await repository.call('context')).toContain(said);
    expect((await gitMem(repository, ['pre-commit'])).stderr).toContain(said);
    const [{ id }] = JSON.parse(await repository.call('list', '--json')).records;
    await repository.call('trust', id);
    expect(await repository.call('context')).toContain(CORRECTED);
    expect((await gitMem(repository, ['list'])).stderr).not.toContain(said);
  });

  it('counts where git tracks ours and calls the file modified', async ({ world: { repository, path, edit } }) => {
    repository.git('add', path);
    edit();
    expect(await listed(repository)).toMatchObject([{ trust: 'own', edited: true }]);
  });

  it('is forgotten if an older version took it for an edit', async ({ world: { repository, path, edit } }) => {
    edit();
    const { ledger } = openWorkspace(repository.root, repository.env);
    const blob = repository.git('hash-object', '-w', path);
    for (const file of [ledger, `${ledger}-edited`]) appendFileSync(file, blob);
    repository.commit('memory');
    expect(await listed(repository)).toMatchObject([{ trust: 'unreviewed' }]);
  });
});

it('counts as its own what a formatter laid out anew, staged or not, and not one word more', async () => {
  const repository = createRepository();
  repository.git('commit', '--quiet', '--allow-empty', '-m', 'base');
  repository.git('switch', '--quiet', '-c', 'work');
  const text = ['--narrative', '* one\n* two\n\n| a | b |\n|---|---|\n| 1 | *2* |', '--concept', 'rows'];
  const made = await repository.call('add', '--type', 'discovery', '--title', WRITTEN, ...text, '--json');
  const file = join(repository.root, JSON.parse(made).path);
  const before = readFileSync(file, 'utf8');
  const after = before
    .replace('concepts: ["rows"]', 'concepts:\n  - "rows"')
    .replace('{by: "cli"', '{ by: "cli"')
    .replace('* one\n* two', '- one\n- two')
    .replace('| a | b |\n|---|---|\n| 1 | *2* |', '| a   | b   |\n| --- | --- |\n| 1   | _2_ |');
  writeFileSync(file, after);
  expect(await listed(repository)).toMatchObject([{ trust: 'own', edited: false }]);
  repository.commit('laid out');
  expect(await listed(repository)).toMatchObject([{ trust: 'own', edited: false }]);
  writeFileSync(file, after.replace('two', 'too'));
  repository.git('add', '.');
  expect(await listed(repository)).toMatchObject([{ trust: 'unreviewed' }]);
});
