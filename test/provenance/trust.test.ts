import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import type { Trust } from '../../src/provenance/levels.ts';
import { isTrusted, trustOf } from '../../src/provenance/trust.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { it } from '../support/with-repository.ts';
import { observationOf } from '../support/written-records.ts';

function observation(title: string): Observation {
  return observationOf({ id: idOf(title), type: 'change', title });
}

/** Another clone's ledger: nothing was written there. */
const NO_LEDGER = '/nonexistent/own';

/** Every record's trust by its title; the ledger may be another clone's. */
async function trusts(
  { root, env }: Pick<TestRepository, 'root' | 'env'>,
  ledger?: string,
): Promise<Record<string, Trust>> {
  const opened = openWorkspace(root, env);
  const workspace = { ...opened, ledger: ledger ?? opened.ledger };
  const records = Object.values(workspace.stores).flatMap((store) =>
    [...store.newest()].map((entry) => store.read(entry)),
  );
  const found = await trustOf(records, workspace, { signatures: true });
  return Object.fromEntries(
    records.map(({ record }, i) => [record.kind === 'observation' ? record.title : '', found[i] ?? 'unreviewed']),
  );
}

function put(repository: TestRepository, title: string, store: 'team' | 'private' = 'team'): string {
  return openWorkspace(repository.root, repository.env).stores[store].put(observation(title)).path;
}

describe('a record', () => {
  it('that this clone wrote is its own, committed or not, in either store', async ({ repository }) => {
    put(repository, 'Committed on a branch');
    put(repository, 'Private', 'private');
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'a');
    repository.git('switch', '--quiet', '-c', 'side');
    repository.commit('memory');
    put(repository, 'Uncommitted');
    expect(await trusts(repository)).toEqual({ 'Committed on a branch': 'own', Private: 'own', Uncommitted: 'own' });
  });

  it('on the default branch is reviewed, for everybody', async ({ repository }) => {
    put(repository, 'Merged');
    repository.commit('memory');
    expect(await trusts(repository, NO_LEDGER)).toEqual({ Merged: 'reviewed' });
    repository.git('switch', '--quiet', '-c', 'side');
    expect(await trusts(repository, NO_LEDGER)).toEqual({ Merged: 'reviewed' });
  });

  it('from somebody else is unreviewed, whether committed on a branch, staged, or merely in the working tree', async () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'a');
    repository.git('switch', '--quiet', '-c', 'theirs');
    put(repository, 'On a branch');
    repository.commit('memory');
    put(repository, 'Staged');
    repository.git('add', '.');
    put(repository, 'Lying there');
    expect(await trusts(repository, NO_LEDGER)).toEqual({
      'On a branch': 'unreviewed',
      Staged: 'unreviewed',
      'Lying there': 'unreviewed',
    });
  });

  it('whose reviewed file was changed here is edited, until it is changed back', async ({ repository }) => {
    const path = join(repository.root, '.memory', put(repository, 'Merged'));
    repository.commit('memory');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('type: change', 'type: decision'));
    expect(await trusts(repository)).toEqual({ Merged: 'edited' });
    writeFileSync(path, text);
    expect(await trusts(repository)).toEqual({ Merged: 'reviewed' });
  });

  it('is not reviewed because its text says so, nor because another file has the same content', async () => {
    const repository = createRepository();
    const path = join(repository.root, '.memory', put(repository, 'Merged'));
    repository.commit('memory');
    const copy = path.replace(/-merged-.{15}\.md$/, `-copy-${idOf('copy')}.md`);
    writeFileSync(
      copy,
      readFileSync(path, 'utf8').replace('title: "Merged"', 'title: "Copy"\ntrust: reviewed\nreviewed: "true"'),
    );
    expect(await trusts(repository)).toEqual({ Merged: 'reviewed', Copy: 'unreviewed' });
  });

  it('keeps its trust in a folder with an odd name, and among thousands of others', async () => {
    const repository = createRepository('it\'s a "repo"');
    put(repository, 'Merged');
    repository.commit('memory');
    const workspace = openWorkspace(repository.root, repository.env);
    const records = [...workspace.stores.team.newest()].map((entry) => workspace.stores.team.read(entry));
    const many = Array.from({ length: 3000 }, (_, i) =>
      records.map((record) => ({ ...record, entry: { ...record.entry, path: i % 2 ? record.entry.path : `x${i}` } })),
    ).flat();
    const found = await trustOf(many, { ...workspace, ledger: NO_LEDGER }, { signatures: false });
    expect(found.filter((trust) => trust === 'reviewed')).toHaveLength(1500);
  });
});

describe('somebody else’s record', () => {
  /** A project with one reviewed record, and a fork of it whose branch brings another under the maintainer's own e-mail. */
  function forked() {
    const repository = createRepository('project');
    put(repository, 'Merged');
    repository.commit('memory');
    const fork = join(repository.folder, 'fork');
    repository.git('clone', '--quiet', repository.root, fork);
    const theirs = { ...repository, root: fork, git: (...args: string[]) => repository.git('-C', fork, ...args) };
    theirs.git('switch', '--quiet', '-c', 'theirs');
    put(theirs, 'Theirs');
    theirs.commit('memory');
    repository.git('remote', 'add', '--fetch', 'mallory', fork);
    repository.git('remote', 'set-head', 'mallory', 'theirs');
    return { repository, fork };
  }
  const merged = { Merged: 'reviewed', Theirs: 'unreviewed' };

  it.each<[string, (git: TestRepository['git']) => void]>([
    ['a checkout', (git) => git('checkout', '--quiet', '--detach', 'mallory/theirs')],
    ['a branch of it', (git) => git('switch', '--quiet', '-c', 'look', 'mallory/theirs')],
    ['a checkout of its memory', (git) => git('checkout', '--quiet', 'mallory/theirs', '--', '.memory')],
    ['a squash', (git) => git('merge', '--quiet', '--squash', 'mallory/theirs')],
    [
      'a merge into a branch',
      (git) => {
        git('switch', '--quiet', '-c', 'work');
        git('commit', '--quiet', '--allow-empty', '-m', 'work');
        git('merge', '--quiet', '--no-edit', 'mallory/theirs');
      },
    ],
    [
      'a rebase or cherry-pick',
      (git) => {
        git('switch', '--quiet', '-c', 'work');
        git('cherry-pick', 'mallory/theirs');
      },
    ],
  ])('stays unreviewed through %s', async (_, bring) => {
    const { repository } = forked();
    bring(repository.git);
    expect(await trusts(repository, NO_LEDGER)).toEqual(merged);
  });

  it('is reviewed once it is on the local default branch where there is no remote to review it', async () => {
    const { repository } = forked();
    repository.git('merge', '--quiet', 'mallory/theirs');
    expect(await trusts(repository, NO_LEDGER)).toEqual({ Merged: 'reviewed', Theirs: 'reviewed' });
  });

  it('is not reviewed by the local main of a clone, only by the remote’s', async () => {
    const { repository, fork } = forked();
    const clone = join(repository.folder, 'clone');
    repository.git('clone', '--quiet', repository.root, clone);
    const git = (...args: string[]) => repository.git('-C', clone, ...args);
    git('pull', '--quiet', fork, 'theirs');
    expect(await trusts({ root: clone, env: repository.env })).toEqual(merged);
    git('push', '--quiet', '--force', 'origin', 'main:accepted');
    expect(await trusts({ root: clone, env: repository.env })).toEqual(merged);
    repository.git('switch', '--quiet', '--detach');
    git('push', '--quiet', 'origin', 'main');
    expect(await trusts({ root: clone, env: repository.env })).toEqual({ Merged: 'reviewed', Theirs: 'reviewed' });
  });
});

describe('a clone of another kind', () => {
  it('of a fork also trusts what upstream reviewed, but nothing else on that remote', async () => {
    const upstream = createRepository('upstream');
    put(upstream, 'Old');
    upstream.commit('memory');
    const [fork, clone] = [join(upstream.folder, 'fork.git'), join(upstream.folder, 'clone')];
    upstream.git('clone', '--quiet', '--bare', upstream.root, fork);
    upstream.git('clone', '--quiet', fork, clone);
    put(upstream, 'Merged upstream');
    upstream.commit('memory');
    upstream.git('switch', '--quiet', '-c', 'proposal');
    put(upstream, 'Proposed upstream');
    upstream.commit('memory');
    upstream.git('-C', clone, 'remote', 'add', '--fetch', 'upstream', upstream.root);
    upstream.git('-C', clone, 'switch', '--quiet', '-c', 'work', 'upstream/proposal');
    expect(await trusts({ root: clone, env: upstream.env })).toEqual({
      Old: 'reviewed',
      'Merged upstream': 'reviewed',
      'Proposed upstream': 'unreviewed',
    });
  });

  it('that is shallow, or has only worktrees, knows what is reviewed', async () => {
    const source = createRepository('source');
    put(source, 'Merged');
    source.commit('memory');
    put(source, 'Merged later');
    source.commit('memory');
    const [shallow, bare, linked] = ['shallow', 'bare.git', 'linked'].map((name) => join(source.folder, name)) as [
      string,
      string,
      string,
    ];
    source.git('clone', '--quiet', '--depth', '1', `file://${source.root}`, shallow);
    source.git('clone', '--quiet', '--bare', source.root, bare);
    source.git('-C', bare, 'worktree', 'add', '--quiet', '-b', 'work', linked);
    for (const root of [shallow, linked]) {
      put({ ...source, root }, 'Mine');
      const { Mine, ...others } = await trusts({ root, env: source.env });
      expect(Mine).toBe('own');
      expect(others).toEqual({ Merged: 'reviewed', 'Merged later': 'reviewed' });
    }
  });
});

it('without a default branch, or without git, only what this clone wrote is trusted', async ({ repository }) => {
  put(repository, 'Mine');
  expect(await trusts(repository)).toEqual({ Mine: 'own' });
  expect(await trusts(repository, NO_LEDGER)).toEqual({ Mine: 'unreviewed' });
  repository.commit('memory');
  const without = { ...repository, env: { ...repository.env, PATH: repository.folder } };
  expect(await trusts(without)).toEqual({ Mine: 'own' });
  expect(await trusts(without, NO_LEDGER)).toEqual({ Mine: 'unreviewed' });
});

it.each([
  ['reviewed', true],
  ['own', true],
  ['edited', false],
  ['unreviewed', false],
] as const)('a level of trust %s counts: %s', (trust, counts) => expect(isTrusted(trust)).toBe(counts));
