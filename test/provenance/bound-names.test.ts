import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

/** `main`, and the branch `work` on which a record about `rowLimit` was committed; then `main` goes on without the name. */
async function replacedBelow(): Promise<TestRepository> {
  const repository = createRepository();
  const { git, write } = repository;
  write('src/queue.ts', 'export const rowLimit = 10;\nexport const speed = 1;\n');
  repository.commit('queue: begin');
  git('switch', '--quiet', '-c', 'work');
  await repository.call('add', '--title', 'Raising `rowLimit` starves slow readers', '--file-read', 'src/queue.ts');
  repository.commit('memory: why there is a limit');
  git('switch', '--quiet', 'main');
  write('src/queue.ts', 'export const speed = 1;\n');
  repository.commit('queue: no limit any more');
  return repository;
}

async function freshness(repository: TestRepository): Promise<string> {
  const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
  return records[0].freshness;
}

describe('a name that others removed below the record', () => {
  it.each([
    ['a merge', ['merge', '--quiet', '--no-edit', 'work']],
    ['a rebase', ['rebase', '--quiet', 'main', 'work']],
    ['a cherry-pick', ['cherry-pick', 'work']],
    ['a squash merge', ['merge', '--quiet', '--squash', 'work']],
  ])('is missing after %s', async (_, how) => {
    const repository = await replacedBelow();
    repository.git(...how);
    if (how.includes('--squash')) repository.git('commit', '--quiet', '-m', 'memory: why there is a limit (#3)');
    expect(await freshness(repository)).toBe('touched');
  });

  it('is none that the commit of the record removed itself', async () => {
    const repository = await replacedBelow();
    const { call, write } = repository;
    await call('add', '--title', '`speed` was never read', '--file-modified', 'src/queue.ts');
    write('src/queue.ts', '// Nothing left.\n');
    repository.commit('queue: remove the speed');
    expect(await freshness(repository)).toBe('fresh');
  });
});
