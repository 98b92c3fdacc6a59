import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const at = (day: number) => ({ by: 'test', at: `2020-05-${String(day).padStart(2, '0')}T10:00:00Z` });

const REASON = 'The file that it speaks of was removed with the old interface, as decided in spring.';

/** Three observations of one month with two marks on them, which is all that these folders hold. */
function createOldMonth(): TestRepository {
  const repository = createRepository();
  for (const i of [1, 2, 3]) {
    put(
      repository,
      observationOf({
        id: `a${i}aaaaaaaa`,
        title: `Finding ${i}`,
        generated: at(i),
        narrative: 'The same words in each. '.repeat(9),
      }),
    );
  }
  retire(repository, 'm1mmmmmmmm', 'a1aaaaaaaa');
  retire(repository, 'm2mmmmmmmm', 'a2aaaaaaaa');
  return commit(repository, 'Memory');
}

function retire(repository: TestRepository, id: string, target: string, generated = at(20)): void {
  put(repository, { id, kind: 'mark', type: 'retire', targets: [target], reason: REASON, generated });
}

function commit(repository: TestRepository, message: string): TestRepository {
  repository.commit(message);
  return repository;
}

async function pack(repository: TestRepository): Promise<void> {
  expect(await gitMem(repository, ['pack', '--before', '2020-06'])).toMatchObject({ code: 0 });
  commit(repository, 'Pack');
}

/** What a reader finds: active records by title, whatever their order. */
async function memory(repository: TestRepository): Promise<string[]> {
  const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
  return records.map(({ title, store, trust }: Record<string, string>) => `${title} ${store} ${trust}`).sort();
}

describe('packing', () => {
  it.each([
    ['a merge of the branch into main', 'main', ['merge', '--quiet', '--no-edit', 'feature']],
    ['a merge of main into the branch', 'feature', ['merge', '--quiet', '--no-edit', 'main']],
    ['a rebase of the branch', 'feature', ['rebase', '--quiet', 'main']],
    ['a squash', 'main', ['merge', '--quiet', '--squash', 'feature']],
  ])('merges cleanly with a branch that has marks on the packed records: %s', async (_, branch, how) => {
    const repository = createOldMonth();
    repository.git('switch', '--quiet', '-c', 'feature');
    // In the very folders that packing empties, and much like what it deletes.
    put(
      repository,
      observationOf({
        id: 'b1bbbbbbbb',
        title: 'Finding 4',
        generated: at(4),
        narrative: 'The same words in each. '.repeat(9),
      }),
    );
    retire(repository, 'm3mmmmmmmm', 'a3aaaaaaaa');
    put(repository, observationOf({ id: 'b2bbbbbbbb', title: 'Newer', supersedes: ['a3aaaaaaaa'], generated: at(30) }));
    commit(repository, 'Work');
    repository.git('switch', '--quiet', 'main');
    await pack(repository);
    // So much like the marks that went that git could take their folder for renamed.
    const later = { by: 'test', at: '2020-06-20T10:00:00Z' };
    put(repository, observationOf({ id: 'c1cccccccc', title: 'Later', generated: later }));
    for (const id of ['n1nnnnnnnn', 'n2nnnnnnnn']) retire(repository, id, 'c1cccccccc', later);
    commit(repository, 'Later');
    repository.git('switch', '--quiet', branch);
    repository.git(...how);
    if (how.includes('--squash')) repository.git('commit', '--quiet', '-m', 'Squashed');
    expect(repository.git('status', '--porcelain')).toBe('');
    const folders = repository
      .git('ls-files', '.memory')
      .split('\n')
      .map((path) => path.split('/').slice(1, 3).join('/'));
    // The branch's own mark, and the one that keeps its folder from looking renamed.
    expect(folders.filter((folder) => folder === 'marks/2020-05')).toHaveLength(2);
    expect(folders.filter((folder) => folder === 'observations/2020-05')).toHaveLength(3);
    expect((await memory(repository)).map((line) => line.replace(/ team .*/, ''))).toEqual([
      'Digest of 2020-05: 3 observations',
      'Finding 4',
      'Newer',
    ]);
    expect(await gitMem(repository, ['show', 'a3aa'])).toMatchObject({ code: 0 });
  });

  it('gives the same digest in two clones, whose branches merge', async () => {
    const repository = createOldMonth();
    const other = createRepository('other');
    other.git('pull', '--quiet', repository.root, 'main');
    await pack(repository);
    other.write('src/a.ts', '1\n');
    commit(other, 'Other work');
    await pack(other);
    expect(other.git('ls-files', '-s', '.memory')).toBe(repository.git('ls-files', '-s', '.memory'));
    other.git('pull', '--quiet', '--no-rebase', '--no-edit', repository.root, 'main');
    expect(other.git('status', '--porcelain')).toBe('');
    expect(await memory(other)).toEqual(await memory(repository));
  });
});
