import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { postgresPrograms } from './postgres.ts';

/** The programs of a PostgreSQL with pgvector; undefined where there is none. */
export function pgvectorPrograms(): string | undefined {
  const programs = postgresPrograms();
  if (programs === undefined) return undefined;
  // initdb knows where its share folder is; pg_config comes with another package.
  const shared = execFileSync(join(programs, 'postgres'), ['-V'], { encoding: 'utf8' });
  const version = /\d+/.exec(shared)?.[0] ?? '';
  return existsSync(`/usr/share/postgresql/${version}/extension/vector.control`) ? programs : undefined;
}

/** What a test says that has no pgvector. */
export const NO_PGVECTOR = 'is not tested: no PostgreSQL with pgvector is installed';
