import { expect } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { it } from '../../support/with-repository.ts';
import { observationOf, put } from '../../support/written-records.ts';

const RECORD = observationOf({ id: 'aaaaaaaaaa', title: 'The gherkin is pickled' });

it('--color forces or forbids colours, terminal or not', async ({ repository }) => {
  put(repository, RECORD);
  expect((await gitMem(repository, ['--color=always', 'list', '-n', '1'])).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['--color', 'never', 'list'], { tty: true })).stdout).not.toContain('\x1b[');
  expect((await gitMem(repository, ['list'], { tty: true })).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['--color=purple', 'list'])).code).toBe(2);
  expect((await gitMem(repository, ['list', '--color=always'])).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['list', '--color', 'always'])).stdout).toContain('\x1b[');
  expect((await gitMem(repository, ['list', '--color', 'never'], { tty: true })).stdout).not.toContain('\x1b[');
  expect((await gitMem(repository, ['search', 'gherkin', '--color', 'purple'])).code).toBe(2);
  expect((await gitMem(repository, ['search', '--', '--color=always'])).stdout).not.toContain('\x1b[');
});

it('takes a terminal that does not say how wide it is for a usual one', async ({ repository }) => {
  const title = 'The gherkin is pickled in brine with dill and mustard seeds';
  put(repository, { ...RECORD, title });
  expect((await gitMem(repository, ['list'], { tty: true, columns: 0 })).stdout).toContain(title);
});
