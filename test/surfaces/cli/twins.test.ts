import { expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const TITLE = 'The queue drops jobs when Redis restarts';

/** Two branches whose records have the same title and text, and the time of the second one. */
async function twinBranches(repository: TestRepository, second: string[]): Promise<string[]> {
  const { git, call, write } = repository;
  write('src/queue.ts', 'export {};\n');
  repository.commit('first');
  const main = git('rev-parse', '--abbrev-ref', 'HEAD').trim();
  const add = async (branch: string, extra: string[]) => {
    git('checkout', '--quiet', '-b', branch, main);
    const { id, path } = JSON.parse(await call('add', '--json', '--type', 'bugfix', '--title', TITLE, ...extra));
    repository.commit(branch);
    return { id, path };
  };
  const one = await add('one', ['--narrative', 'Acknowledge after the work.']);
  // The other branch noted it in another second, so that its file has another name.
  const { path } = one;
  const other = await add('two', second);
  if (other.path === path) {
    const [, time = ''] = /(\d{8}T\d{6}Z)/.exec(path) ?? [];
    const later = time.replace(
      /\d\dZ$/,
      (seconds) => `${String((Number(seconds.slice(0, 2)) + 1) % 60).padStart(2, '0')}Z`,
    );
    git('mv', path, path.replace(time, later));
    repository.commit('another second');
  }
  git('merge', '--quiet', '--no-edit', 'one');
  return [one.id, other.id];
}

it('treats the same finding on two branches as one record', async () => {
  const repository = createRepository();
  const ids = await twinBranches(repository, ['--narrative', 'Acknowledge after the work.']);
  expect(ids[0]).toBe(ids[1]);
  expect(repository.git('ls-files', '.memory/observations').trim().split('\n')).toHaveLength(2);
  const { problems } = JSON.parse((await gitMem(repository, ['check', '--json'])).stdout);
  expect(problems.filter(({ code }: { code: string }) => code === 'duplicate-id')).toEqual([]);
  const { total, records } = JSON.parse(await repository.call('list', '--json'));
  expect([total, records.length]).toEqual([1, 1]);
  const status = JSON.parse(await repository.call('status', '--json'));
  expect(status.records.team).toBe(1);
});

it('still refuses one id for two findings', async () => {
  const repository = createRepository();
  await twinBranches(repository, ['--narrative', 'Acknowledge after the work.']);
  const [first = ''] = repository.git('ls-files', '.memory/observations').trim().split('\n');
  const text = repository.git('show', `HEAD:${first}`);
  repository.write(first, text.replace('after the work', 'before the work'));
  const { code, stdout } = await gitMem(repository, ['check', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).problems.map((one: { code: string }) => one.code)).toContain('duplicate-id');
});
