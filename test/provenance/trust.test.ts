import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { isTrusted, type Trust, trustOf } from '../../src/provenance/trust.ts';
import { defaultBranch } from '../../src/repo/locate.ts';
import { readLedger } from '../../src/store/store.ts';
import { openWorkspace } from '../../src/store/workspace.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

function observation(title: string): Observation {
  return {
    ...{
      id: idOf(title),
      kind: 'observation',
      type: 'change',
      title,
      concepts: [],
      files_modified: [],
      files_read: [],
    },
    ...{ anchors: {}, supersedes: [], narrative: '', facts: [], generated: { by: 'cli', at: '2026-11-20T20:05:01Z' } },
  };
}

/** Every record's trust by its title; the ledger may be another clone's. */
async function trusts({ root, env }: TestRepository, ledger?: Set<string>): Promise<Record<string, Trust>> {
  const workspace = openWorkspace(root, env);
  const records = Object.values(workspace.stores).flatMap((store) =>
    [...store.newest()].map((entry) => store.read(entry)),
  );
  const branch = defaultBranch(workspace.checkout);
  const found = await trustOf(records, { root, env, ledger: ledger ?? readLedger(workspace.ledger), branch });
  return Object.fromEntries(
    records.map(({ record }, i) => [record.kind === 'observation' ? record.title : '', found[i] ?? 'unreviewed']),
  );
}

function put(repository: TestRepository, title: string, store: 'team' | 'private' = 'team'): string {
  return openWorkspace(repository.root, repository.env).stores[store].put(observation(title)).path;
}

function commitAll(repository: TestRepository): void {
  repository.git('add', '.');
  repository.git('commit', '--quiet', '-m', 'memory');
}

describe('a record', () => {
  it('that this clone wrote is its own, committed or not, in either store', async () => {
    const repository = createRepository();
    put(repository, 'Committed on a branch');
    put(repository, 'Private', 'private');
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'a');
    repository.git('switch', '--quiet', '-c', 'side');
    commitAll(repository);
    put(repository, 'Uncommitted');
    expect(await trusts(repository)).toEqual({ 'Committed on a branch': 'own', Private: 'own', Uncommitted: 'own' });
  });

  it('on the default branch is reviewed, for everybody', async () => {
    const repository = createRepository();
    put(repository, 'Merged');
    commitAll(repository);
    expect(await trusts(repository, new Set())).toEqual({ Merged: 'reviewed' });
    repository.git('switch', '--quiet', '-c', 'side');
    expect(await trusts(repository, new Set())).toEqual({ Merged: 'reviewed' });
  });

  it('of a stranger is unreviewed, be it committed on a branch, staged, or merely lying there', async () => {
    const repository = createRepository();
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'a');
    repository.git('switch', '--quiet', '-c', 'theirs');
    put(repository, 'On a branch');
    commitAll(repository);
    put(repository, 'Staged');
    repository.git('add', '.');
    put(repository, 'Lying there');
    const none = new Set<string>();
    expect(await trusts(repository, none)).toEqual({
      'On a branch': 'unreviewed',
      Staged: 'unreviewed',
      'Lying there': 'unreviewed',
    });
  });

  it('whose reviewed file was changed here is edited, until it is changed back', async () => {
    const repository = createRepository();
    const path = join(repository.root, '.memory', put(repository, 'Merged'));
    commitAll(repository);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('type: change', 'type: decision'));
    expect(await trusts(repository)).toEqual({ Merged: 'edited' });
    writeFileSync(path, text);
    expect(await trusts(repository)).toEqual({ Merged: 'reviewed' });
  });

  it('is not reviewed because its text says so, nor because another file of its content is', async () => {
    const repository = createRepository();
    const path = join(repository.root, '.memory', put(repository, 'Merged'));
    commitAll(repository);
    const copy = path.replace(/-merged-.{15}\.md$/, `-copy-${idOf('copy')}.md`);
    writeFileSync(
      copy,
      readFileSync(path, 'utf8').replace('title: "Merged"', 'title: "Copy"\ntrust: reviewed\nreviewed: "true"'),
    );
    expect(await trusts(repository)).toEqual({ Merged: 'reviewed', Copy: 'unreviewed' });
  });

  it('is what it is in a folder with an odd name, and with thousands of others', async () => {
    const repository = createRepository('it\'s a "repo"');
    put(repository, 'Merged');
    commitAll(repository);
    const workspace = openWorkspace(repository.root, repository.env);
    const records = [...workspace.stores.team.newest()].map((entry) => workspace.stores.team.read(entry));
    const many = Array.from({ length: 3000 }, (_, i) =>
      records.map((record) => ({ ...record, entry: { ...record.entry, path: i % 2 ? record.entry.path : `x${i}` } })),
    ).flat();
    const found = await trustOf(many, {
      root: repository.root,
      env: repository.env,
      ledger: new Set(),
      branch: 'refs/heads/main',
    });
    expect(found.filter((trust) => trust === 'reviewed')).toHaveLength(1500);
  });
});

describe('without a default branch, or without git', () => {
  it('only what this clone wrote is trusted', async () => {
    const repository = createRepository();
    put(repository, 'Mine');
    expect(await trusts(repository)).toEqual({ Mine: 'own' });
    expect(await trusts(repository, new Set())).toEqual({ Mine: 'unreviewed' });
    commitAll(repository);
    const without = { ...repository, env: { ...repository.env, PATH: repository.folder } };
    expect(await trusts(without)).toEqual({ Mine: 'own' });
    expect(await trusts(without, new Set())).toEqual({ Mine: 'unreviewed' });
  });
});

describe('a level of trust', () => {
  it.each([
    ['reviewed', true],
    ['own', true],
    ['edited', false],
    ['unreviewed', false],
  ] as const)('%s counts: %s', (trust, counts) => expect(isTrusted(trust)).toBe(counts));
});
