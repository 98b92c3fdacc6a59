import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRepository, type TestRepository } from '../support/repository.ts';

/** A repository in which a record tells of a commit that bounds a queue. */
async function repositoryWithWork(): Promise<
  TestRepository & { id: string; work: string; take(message: string): string }
> {
  const repository = createRepository();
  const { git, write, call } = repository;
  const commit = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '-m', message);
    return git('rev-parse', 'HEAD').trim();
  };
  write('src/queue.ts', 'export const rows = Infinity;\n');
  commit('queue: begin');
  write('src/queue.ts', 'export const rows = 10;\n');
  const work = commit('queue: bound it by ten rows (#12)');
  const made = await call(
    'add',
    '--json',
    '--type',
    'feature',
    '--title',
    'The queue is bounded by ten rows',
    '--file-modified',
    'src/queue.ts',
  );
  commit('memory');
  const { id } = JSON.parse(made) as { id: string };
  const take = (message: string) => {
    write('src/queue.ts', 'export const rows = Infinity;\n');
    return commit(message);
  };
  return { ...repository, id, work, take };
}

async function revertedBy({ call }: TestRepository, ...args: string[]): Promise<unknown[]> {
  const { hits, records } = JSON.parse(await call(...args, '--json')) as Record<string, { reverted_by: unknown }[]>;
  return (hits ?? records ?? []).map(({ reverted_by }) => reverted_by);
}

const STYLES: [style: string, message: (work: string) => string][] = [
  ["git's own", (work) => `Revert "queue: bound it by ten rows (#12)"\n\nThis reverts commit ${work}.`],
  ['git’s own without the hash', () => 'Revert "queue: bound it by ten rows (#12)"'],
  ['revert: SUBJECT', () => 'revert: queue: bound it by ten rows'],
  [
    'revert(scope): SUBJECT with the hash',
    (work) => `revert(queue): bounds\n\nThis reverts commit ${work.slice(0, 9)}`,
  ],
  ['fix: revert "SUBJECT"', () => 'fix: revert "queue: bound it by ten rows"'],
  ['back out by hash', (work) => `queue: back out the bound\n\nThis commit reverts ${work.slice(0, 8)}.`],
  ['revert of a pull request', () => 'Revert #12, it starves slow readers'],
];

describe('a commit that reverts work', () => {
  it.each(STYLES)('is recognised as %s', async (_, message) => {
    const repository = await repositoryWithWork();
    expect(await revertedBy(repository, 'list')).toEqual([null]);
    const revert = repository.take(message(repository.work));
    expect(await revertedBy(repository, 'list')).toEqual([revert]);
    expect(await revertedBy(repository, 'search', 'bounded')).toEqual([revert]);
    expect(await revertedBy(repository, 'show', repository.id)).toEqual([revert]);
    expect(await repository.call('search', 'bounded')).toContain('reverted');
  });

  it.each([
    ['a part only', 'Partially revert "queue: bound it by ten rows (#12)"'],
    ['what never was', 'Revert "queue: bound it by nine rows"'],
    ['nothing', 'queue: undo the damage that users do'],
  ])('is not recognised when it reverts %s', async (_, message) => {
    const repository = await repositoryWithWork();
    repository.take(message);
    expect(await revertedBy(repository, 'list')).toEqual([null]);
  });

  it('does not count once the work is applied again, with or without a hash, nor where the work is present again', async () => {
    const repository = await repositoryWithWork();
    const { git, write, take, work } = repository;
    const again = (message: string, text: string) => {
      write('src/queue.ts', text);
      git('commit', '--quiet', '--all', '-m', message);
    };
    const first = take(`Revert "queue: bound it by ten rows (#12)"\n\nThis reverts commit ${work}.`);
    expect(await revertedBy(repository, 'list')).toEqual([first]);
    again('Reapply "queue: bound it by ten rows (#12)"', 'export const rows = 11;\n');
    expect(await revertedBy(repository, 'list')).toEqual([null]);
    const second = take('Revert "queue: bound it by ten rows (#12)"');
    expect(await revertedBy(repository, 'list')).toEqual([second]);
    again('queue: ten rows after all', 'export const rows = 10;\n');
    expect(await revertedBy(repository, 'list')).toEqual([null]);
  });
});

describe('the reverts of a history', () => {
  it('are read once: later only new commits are', async () => {
    const repository = await repositoryWithWork();
    const { folder, root, git, take, work } = repository;
    const log = join(folder, 'git.log');
    const script = `#!/bin/sh\necho "$*" >>'${log}'\nPATH='${process.env.PATH}' exec git "$@"\n`;
    writeFileSync(join(folder, 'bin', 'git'), script, { mode: 0o755 });
    const asked = async () => {
      const by = await revertedBy(repository, 'list');
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
      rmSync(log, { force: true });
      return { by, reads: lines.filter((line) => /^log /.test(line)) };
    };
    expect((await asked()).reads).toHaveLength(1);
    expect(await asked()).toEqual({ by: [null], reads: [] });
    const before = git('rev-parse', 'HEAD').trim();
    const revert = take(`Back to endless rows\n\nThis reverts commit ${work}.`);
    expect(await asked()).toEqual({ by: [revert], reads: [expect.stringContaining(` ^${before} `)] });
    expect(await asked()).toEqual({ by: [revert], reads: [] });
    git('checkout', '--quiet', '-b', 'other', before);
    expect((await asked()).by).toEqual([null]);
    git('checkout', '--quiet', '-');
    const state = join(root, '.git', 'git-mem', 'tally');
    const kept = readdirSync(state).filter((name) => name.endsWith('-reverts.json'));
    expect(kept).toHaveLength(1);
    for (const name of kept) writeFileSync(join(state, name), `{"commit":"${revert}","reverts":[{}],"work":[]}`);
    expect((await asked()).by).toEqual([revert]);
  });
});
