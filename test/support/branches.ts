import { blobId } from '../../src/memory/id.ts';
import type { Observation } from '../../src/memory/record.ts';
import { createRepository, preparedOnce, type TestRepository } from './repository.ts';
import { drop, observationOf } from './written-records.ts';

/** A value that every scanner takes for a secret, assembled at run time so that no scanner finds it in this file. */
export const SECRET = ['ghp', 'a8Xk29QmZr4TvLw7YbNc31HdPsEf60GjUiKo'].join('_');

const generated = { by: 'test', at: '2025-02-01T10:00:00Z' };

/** What the repository of `reviewed` knows, by what it is about. */
export const KNOWN = {
  clock: observationOf({
    id: 'c10ckskew0',
    generated,
    type: 'decision',
    title: 'Clock skew of thirty seconds is tolerated',
    narrative: 'Nodes drift apart by some seconds before NTP pulls them back.',
    concepts: ['auth', 'time'],
    files_modified: ['src/clock.ts'],
    anchors: { 'src/clock.ts': blobId('one\n') },
  }),
  upload: observationOf({
    id: 'vp10adcap0',
    generated,
    type: 'bugfix',
    title: 'Uploads larger than ten megabytes were cut by the proxy',
    files_modified: ['src/upload.ts'],
    anchors: { 'src/upload.ts': blobId('up\n') },
  }),
} satisfies Record<string, Observation>;

/** A repository whose default branch has two records and the files they cite, with a branch `topic` checked out. */
export const reviewed = preparedOnce((atEnd) => {
  const repository = createRepository('repository', atEnd);
  repository.write('src/clock.ts', 'one\n');
  repository.write('src/upload.ts', 'up\n');
  for (const record of Object.values(KNOWN)) drop(repository, record);
  commit(repository, 'base');
  repository.git('checkout', '--quiet', '-b', 'topic');
  return repository;
});

/** Commits everything that lies in the checkout. */
export function commit({ git }: TestRepository, message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--no-verify', '-m', message);
}
