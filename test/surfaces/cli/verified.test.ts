import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository } from '../../support/repository.ts';

it('"verified" ends with a change of the cited file, and comes back with another mark', async () => {
  const repository = createRepository();
  const { write, call } = repository;
  write('src/queue.ts', 'export const rowLimit = 10;\n');
  repository.commit('queue: begin');
  const { id } = JSON.parse(
    await call('add', '--title', 'A higher `rowLimit` starves slow readers', '--file-read', 'src/queue.ts', '--json'),
  );
  const isVerified = async () => {
    const said = await Promise.all(
      [['list'], ['search', 'rowLimit'], ['show', id]].map((args) => gitMem(repository, args)),
    );
    const { records } = JSON.parse(await call('list', '--json'));
    const { text } = JSON.parse(await call('context', '--json'));
    const states = [...said.map(({ stdout }) => stdout), text].map((words) => words.includes('verified'));
    return [...new Set([...states, records[0].verified])];
  };
  expect(await isVerified()).toEqual([false]);
  await call('verify', id);
  expect(await isVerified()).toEqual([true]);
  write('src/queue.ts', 'export const rowLimit = 20;\n');
  expect(await isVerified()).toEqual([false]);
  repository.commit('queue: twenty');
  expect(await isVerified()).toEqual([false]);
  await call('verify', id, '--reason', 'Read again.');
  expect(await isVerified()).toEqual([true]);
});

it('"verified" is about the files as they are in the checkout, or were in the commit, that is asked about', async () => {
  const repository = createRepository();
  const { git, write, call } = repository;
  write('src/queue.ts', 'export const rowLimit = 10;\n');
  const title = 'A higher `rowLimit` starves slow readers';
  const { id } = JSON.parse(await call('add', '--title', title, '--file-read', 'src/queue.ts', '--json'));
  repository.commit('queue: begin');
  git('worktree', 'add', '--quiet', '-b', 'old', join(repository.folder, 'old'));
  write('src/queue.ts', 'export const rowLimit = 20;\n');
  await call('verify', id);
  repository.commit('queue: twenty');
  write('src/queue.ts', 'export const rowLimit = 30;\n');
  repository.commit('queue: thirty');
  const isVerified = async (...args: string[]) => JSON.parse(await call('list', '--json', ...args)).records[0].verified;
  expect(await isVerified()).toBe(false);
  expect(await isVerified('--at', 'HEAD~1')).toBe(true);
  expect(await isVerified('--at', 'HEAD')).toBe(false);
  // The mark counts there too, but nobody looked at the file of that branch.
  const old = { ...repository, root: join(repository.folder, 'old') };
  const { stdout } = await gitMem(old, ['list', '--json']);
  expect(JSON.parse(stdout).records[0]).toMatchObject({ id, verified: false });
});
