import { describe, expect, it } from 'vitest';
import type { MarkType } from '../../src/memory/record.ts';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { drop, markOf, observationOf, put, summaryOf } from '../support/written-records.ts';

const IDS = ['a1aaaaaaaa', 'b2bbbbbbbb', 'c3cccccccc', 'd4dddddddd', 'e5eeeeeeee', 'f6ffffffff'];
const OLD = (day: number) => ({ by: 'test', at: `2020-05-${String(day).padStart(2, '0')}T10:00:00Z` });

/** Six observations and three sessions of May 2020, and one observation of the month after. */
function createOldMemory(): TestRepository {
  const repository = createRepository();
  for (const [i, id] of IDS.entries()) {
    put(repository, observationOf({ id, title: `Finding ${i + 1}`, generated: OLD(i + 1), concepts: ['auth'] }));
  }
  for (const i of [1, 2, 3])
    put(repository, summaryOf({ id: `s${i}ssssssss`, title: `Session ${i}`, generated: OLD(i + 10) }));
  put(
    repository,
    observationOf({ id: 'g7gggggggg', title: 'June', generated: { by: 'test', at: '2020-06-01T00:00:00Z' } }),
  );
  return repository;
}

function mark(repository: TestRepository, id: string, type: MarkType, targets: string[], by?: string): void {
  put(repository, markOf({ id, type, targets, ...(by && { by }), generated: OLD(20) }));
}

function commit(repository: TestRepository): TestRepository {
  repository.commit('Memory');
  return repository;
}

async function packed(repository: TestRepository, ...args: string[]) {
  const { stdout, stderr } = await gitMem(repository, ['pack', '--before', '2020-06', '--json', ...args]);
  return JSON.parse(stdout || stderr);
}

async function json(repository: TestRepository, ...args: string[]) {
  return JSON.parse((await gitMem(repository, [...args, '--json'])).stdout);
}

describe('git mem pack', () => {
  it('packs a month into one digest per kind, whose lines name the records', async () => {
    const repository = commit(createOldMemory());
    const { digests, removed } = await packed(repository);
    expect(digests.map(({ title, packs }: { title: string; packs: string[] }) => [title, packs.length])).toEqual([
      ['Digest of 2020-05: 6 observations', 6],
      ['Digest of 2020-05: 3 sessions', 3],
    ]);
    expect(removed).toHaveLength(9);
    const { records } = await json(repository, 'list');
    expect(records.map(({ title }: { title: string }) => title)).toEqual([
      'June',
      'Digest of 2020-05: 3 sessions',
      'Digest of 2020-05: 6 observations',
    ]);
    expect(records[2].facts[0]).toBe('a1aaaaaaaa 2020-05-01 discovery: Finding 1');
    expect(records[2].concepts).toEqual(['digest', 'auth']);
    expect(digests[0].path).toMatch(/^\.memory\/observations\/2020-05\//);
    expect(repository.git('log', '-p', '--', `:(top,glob).memory/**/*${IDS[0]}.md`)).toContain('Finding 1');
  });

  it('resolves old ids to the digest', async () => {
    const repository = commit(createOldMemory());
    const { digests } = await packed(repository);
    const shown = await gitMem(repository, ['show', 'a1aa']);
    expect(shown).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`a1aaaaaaaa was packed into the digest ${digests[0].id}`),
    });
    expect(shown.stdout).toContain('- a1aaaaaaaa 2020-05-01 discovery: Finding 1');
    expect(await json(repository, 'show', 'a1aa', 'b2bb', 'zzzz')).toMatchObject({
      records: [{ id: digests[0].id }],
      packed: [{ id: 'a1aaaaaaaa' }, { id: 'b2bbbbbbbb' }],
      missing: ['zzzz'],
    });
  });

  it('keeps pinned, verified, unreviewed and recent records, and leaves small numbers alone', async () => {
    const repository = createOldMemory();
    mark(repository, 'm1mmmmmmmm', 'pin', ['a1aaaaaaaa']);
    mark(repository, 'm2mmmmmmmm', 'verify', ['b2bbbbbbbb']);
    const now = new Date().toISOString().slice(0, 8);
    for (const i of [1, 2, 3]) {
      put(
        repository,
        observationOf({
          id: `h${i}hhhhhhhh`,
          title: `New ${i}`,
          generated: { by: 'test', at: `${now}01T00:00:0${i}Z` },
        }),
      );
    }
    commit(repository);
    const { stdout } = await gitMem(repository, ['pack', '--before', '2090', '--json']);
    const { digests, kept } = JSON.parse(stdout);
    expect(digests.map(({ packs }: { packs: string[] }) => packs.length)).toEqual([4, 3]);
    expect(kept).toEqual({ pinned: 1, verified: 1, disputed: 0, untrusted: 0, few: 1 });
  });

  it('does not repeat redacted text, and notes what was superseded', async () => {
    const repository = createOldMemory();
    mark(repository, 'm1mmmmmmmm', 'redact', ['a1aaaaaaaa']);
    mark(repository, 'm2mmmmmmmm', 'supersede', ['b2bbbbbbbb'], 'c3cccccccc');
    commit(repository);
    const { removed } = await packed(repository);
    const { records } = await json(repository, 'show', 'a1aa');
    expect(records[0].facts.slice(0, 2)).toEqual([
      'a1aaaaaaaa 2020-05-01 discovery: (redacted)',
      'b2bbbbbbbb 2020-05-02 discovery: Finding 2 (superseded by c3cccccccc)',
    ]);
    expect(removed.filter((path: string) => path.includes('/marks/'))).toHaveLength(1);
  });

  it('does not revive a record that a packed one had superseded', async () => {
    const repository = createOldMemory();
    put(
      repository,
      observationOf({ id: 'h1hhhhhhhh', title: 'Replaces June', supersedes: ['g7gggggggg'], generated: OLD(25) }),
    );
    mark(repository, 'm1mmmmmmmm', 'retire', ['g7gggggggg', 'a1aaaaaaaa']);
    commit(repository);
    await packed(repository);
    const { records } = await json(repository, 'show', 'g7gg');
    expect(records[0].superseded_by).toHaveLength(1);
    expect(records[0].retired).toBe(true);
    expect((await json(repository, 'list')).records.map(({ id }: { id: string }) => id)).not.toContain('g7gggggggg');
  });

  it('finds nothing more to do the second time', async () => {
    const repository = commit(createOldMemory());
    await packed(repository);
    commit(repository);
    expect(await packed(repository)).toMatchObject({ digests: [], removed: [] });
  });

  it('changes nothing in a dry run', async () => {
    const repository = commit(createOldMemory());
    expect((await packed(repository, '--dry-run')).digests).toHaveLength(2);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it.each<[string, (repository: TestRepository) => void, string]>([
    ['on another branch', ({ git }) => git('switch', '--quiet', '-c', 'feature'), 'this is feature'],
    ['with a detached HEAD', ({ git }) => git('switch', '--quiet', '--detach'), 'HEAD is detached'],
    [
      'with records that are not committed',
      (repository) => drop(repository, observationOf({ id: 'h1hhhhhhhh' })),
      'not committed',
    ],
    ['in the middle of a merge', (repository) => startMerge(repository), 'in the middle of a merge'],
  ])('refuses %s', async (_, prepare, reason) => {
    const repository = commit(createOldMemory());
    prepare(repository);
    const before = repository.git('status', '--porcelain');
    expect(await gitMem(repository, ['pack', '--before', '2020-06'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(reason),
    });
    expect(repository.git('status', '--porcelain')).toBe(before);
  });

  it('says that there is no commit yet', async () => {
    const { code, stderr } = await gitMem(createOldMemory(), ['pack', '--before', '2020-06']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^git-mem: This repository has no commit yet\.\n/);
  });

  it('requires a date', async () => {
    const repository = commit(createOldMemory());
    expect(await gitMem(repository, ['pack'])).toMatchObject({ code: 2 });
    expect(await gitMem(repository, ['pack', '--before', 'soonish'])).toMatchObject({ code: 1 });
  });
});

function startMerge(repository: TestRepository): void {
  repository.git('switch', '--quiet', '-c', 'other');
  repository.write('src/a.ts', '1\n');
  commit(repository);
  repository.git('switch', '--quiet', 'main');
  repository.git('merge', '--quiet', '--no-ff', '--no-commit', 'other');
}
