import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';
import { serve } from '../surfaces/mcp/served-memory.ts';

const it = test.extend('repository', () => repositoryWithWork());

const ID = 'aaaaaaaaa1';
const ENDLESS = 'export const rows = Infinity;\n';
const TEN = 'export const rows = 10;\n';

interface World extends TestRepository {
  /** The commit that bounds the queue and has the record, and the record's file. */
  work: string;
  path: string;
  /** Commits everything, and returns the commit's id. */
  commitAll(message: string): string;
  /** Puts the file back, or to another content, under this message; returns the commit's id. */
  take(message: string, content?: string): string;
}

/** A repository in which a record was committed with the change that it tells of, or after it. */
function repositoryWithWork({ together = true } = {}): World {
  const repository = createRepository();
  const { git, write } = repository;
  const commitAll = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '-m', message);
    return git('rev-parse', 'HEAD').trim();
  };
  write('src/queue.ts', ENDLESS);
  commitAll('queue: begin');
  write('src/queue.ts', TEN);
  if (!together) commitAll('queue: bound it by ten rows');
  const path = put(repository, observationOf({ id: ID, title: 'Ten rows at most', files_modified: ['src/queue.ts'] }));
  const work = commitAll('queue: bound it by ten rows (#12)');
  const take = (message: string, content = ENDLESS) => {
    write('src/queue.ts', content);
    return commitAll(message);
  };
  return { ...repository, work, path, commitAll, take };
}

async function revertedBy(repository: TestRepository): Promise<string | null> {
  const { stdout } = await gitMem(repository, ['why', ID, '--json']);
  return JSON.parse(stdout).reverted_by?.commit ?? null;
}

const own = (commit: string) => `Revert "queue: bound it by ten rows (#12)"\n\nThis reverts commit ${commit}.`;

describe('a record whose change was reverted', () => {
  it('says so where it is read as a whole, and leaves no list, search or session start', async ({ repository }) => {
    expect(await revertedBy(repository)).toBeNull();
    const revert = repository.take(own(repository.work));
    expect(await revertedBy(repository)).toBe(revert);
    const words = new RegExp(`its change was reverted by ${revert.slice(0, 8)}`, 'i');
    expect((await gitMem(repository, ['why', ID])).stdout).toMatch(words);
    expect((await gitMem(repository, ['show', ID])).stdout).toMatch(words);
    const whole = await (await serve(repository)).call('get_observations', { ids: [ID] });
    expect(whole.text).toMatch(words);
    expect(whole.data.records[0].reverted_by).toMatchObject({ commit: revert });
    for (const args of [['list'], ['search', 'rows'], ['context']]) {
      const { stdout } = await gitMem(repository, args);
      expect(stdout).toContain('Ten rows at most');
      expect(stdout).not.toContain('revert');
    }
    const { records } = JSON.parse((await gitMem(repository, ['list', '--json'])).stdout);
    expect(Object.keys(records[0])).not.toContain('reverted_by');
  });

  it.each([
    ['without the id', () => 'Revert "queue: bound it by ten rows (#12)"'],
    ['by a short id', (work: string) => `queue: endless again\n\nThis reverts commit ${work.slice(0, 9)}.`],
    ['by the number of a pull request', () => 'Revert #12, it starves slow readers'],
    ['in other words', (work: string) => `queue: endless again\n\nUndoes ${work}.`],
  ])('is not told from a message that names it %s', async (_, message) => {
    const repository = repositoryWithWork();
    repository.take(message(repository.work));
    expect(await revertedBy(repository)).toBeNull();
  });

  it('is not claimed of a record that was committed by itself, after its change', async () => {
    const repository = repositoryWithWork({ together: false });
    repository.take(own(repository.git('rev-parse', 'HEAD~1').trim()));
    expect(await revertedBy(repository)).toBeNull();
    repository.git('commit', '--quiet', '--allow-empty', '-m', own(repository.work));
    expect(await revertedBy(repository)).toBeNull();
  });

  it('is not claimed where the tree does not show it: an empty commit, or the same lines again', async () => {
    const repository = repositoryWithWork();
    repository.git('commit', '--quiet', '--allow-empty', '-m', own(repository.work));
    expect(await revertedBy(repository)).toBeNull();
    repository.take(own(repository.work));
    repository.take('queue: ten rows after all', `// Bounded since the outage.\n${TEN}`);
    expect(await revertedBy(repository)).toBeNull();
  });

  it('is not claimed by a commit that quotes the words, as a squash of several does, and leaves the change', async () => {
    const repository = repositoryWithWork();
    const { write, commitAll, work } = repository;
    write('src/queue.ts', `// As many as the screen has.\n${TEN}`);
    commitAll(`queue: comment (#7)\n\n* Revert "queue: bound it"\n\nThis reverts commit ${work}.\n\n* Bound it again`);
    expect(await revertedBy(repository)).toBeNull();
  });

  it('is still told where the file went on from there', async ({ repository }) => {
    const revert = repository.take(own(repository.work));
    repository.take('queue: a comment', `// As many as there are.\n${ENDLESS}`);
    expect(await revertedBy(repository)).toBe(revert);
  });

  it('ends with the revert of the revert', async ({ repository }) => {
    const revert = repository.take(own(repository.work));
    repository.take(`Reapply "queue: bound it by ten rows (#12)"\n\nThis reverts commit ${revert}.`, TEN);
    expect(await revertedBy(repository)).toBeNull();
  });

  it('is told where the revert removed the record too, of a commit or of a whole merge, and it was salvaged', async () => {
    const repository = repositoryWithWork();
    const { git } = repository;
    git('revert', '--no-edit', 'HEAD');
    const revert = git('rev-parse', 'HEAD').trim();
    expect((await gitMem(repository, ['salvage', '--json'])).stdout).toContain(`reverted by ${revert.slice(0, 8)}`);
    git('checkout', '--quiet', repository.work, '--', '.memory');
    expect(await revertedBy(repository)).toBe(revert);
    repository.commitAll('memory: It was tried');
    expect(await revertedBy(repository)).toBe(revert);

    const merged = repositoryWithWork();
    merged.git('switch', '--quiet', '-c', 'side', 'HEAD~1');
    merged.write('b.txt', 'b\n');
    merged.commitAll('side');
    merged.git('merge', '--quiet', '--no-ff', '-m', 'merge', merged.work);
    merged.git('revert', '--no-edit', '-m', '1', 'HEAD');
    const back = merged.git('rev-parse', 'HEAD').trim();
    merged.git('checkout', '--quiet', merged.work, '--', '.memory');
    merged.commitAll('memory: It was tried');
    expect(await revertedBy(merged)).toBe(back);
  });

  it('is not told because of a stranger’s branch that is only checked out here', async ({ repository }) => {
    const { git, root, folder, env } = repository;
    const theirs = join(folder, 'theirs');
    git('clone', '--quiet', `file://${root}`, theirs);
    const stranger = { ...repository, root: theirs };
    const run = (...args: string[]) => git('-C', theirs, ...args);
    run('switch', '--quiet', '-c', 'feature');
    run('-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', 'revert', '--no-edit', 'HEAD');
    run('checkout', '--quiet', 'HEAD~1', '--', '.memory');
    run('-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', 'commit', '--quiet', '-m', 'memory');
    expect(await revertedBy({ ...stranger, env })).not.toBeNull();
    git('fetch', '--quiet', theirs, 'feature:feature');
    git('switch', '--quiet', 'feature');
    expect(await revertedBy(repository)).toBeNull();
    git('switch', '--quiet', 'main');
    git('merge', '--quiet', 'feature');
    // The reviewed branch has it now.
    expect(await revertedBy(repository)).not.toBeNull();
  });
});
