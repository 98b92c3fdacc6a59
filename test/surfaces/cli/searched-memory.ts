import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { remember } from '../../support/command.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

export const at = (time: string) => ({ generated: { by: 'test', at: time } });

export function createMemory(atEnd?: (remove: () => void) => void): TestRepository {
  const repository = createRepository('repository', atEnd);
  remember(repository, [
    {
      id: 'k3v9x2qd7m',
      type: 'bugfix',
      title: 'JWT rejected when the clock runs ahead',
      session: 's-1',
      narrative: 'Verification failed because iat lay in the future. It now allows 30 seconds of skew.',
      files_modified: ['src/auth/token.ts'],
      concepts: ['auth'],
      branch: 'feature/auth',
      ...at('2026-11-20T10:00:00Z'),
    },
    {
      id: 'p8w2m4ta1c',
      type: 'decision',
      title: 'Sessions live in Postgres',
      narrative: 'Redis was rejected: no failover. The clock of the cluster is trusted.',
      files_read: ['db/migrations/1.sql'],
      concepts: ['storage'],
      ...at('2026-10-05T10:00:00Z'),
    },
  ]);
  remember(
    repository,
    [{ id: '7h2c9d4e1f', title: 'Staging password lies in the vault', ...at('2026-11-19T10:00:00Z') }],
    'private',
  );
  return repository;
}

export const idsOf = (stdout: string) => JSON.parse(stdout).hits.map(({ id }: { id: string }) => id);

/** Makes a folder, and all below it, one that changed an hour ago. */
export function makeOld(folder: string): void {
  const time = Date.now() / 1000 - 3600;
  const below = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const path of [folder, ...below.map((entry) => join(entry.parentPath, entry.name))])
    utimesSync(path, time, time);
}
