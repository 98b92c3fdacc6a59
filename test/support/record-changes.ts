import { expect } from 'vitest';
import { gitMem } from './command-line.ts';
import type { TestRepository } from './repository.ts';
import { observationOf } from './written-records.ts';

/** A record that a branch adds. */
export const news = observationOf({
  id: 'newrec0rd1',
  title: 'The queue retries three times',
  narrative: 'Then it gives up.',
});

/** What `git mem diff --json` reports, and its exit code. */
export async function diff(repository: TestRepository, ...args: string[]) {
  const { code, stdout, stderr } = await gitMem(repository, ['diff', ...args, '--json']);
  expect(stderr).toBe('');
  return { code, ...JSON.parse(stdout) };
}

export const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
