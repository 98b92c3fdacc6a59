import { mkdirSync, rmSync } from 'node:fs';
import { makeFolder } from '../support/hub-world.ts';
import { postgresPrograms, startPostgres } from '../support/postgres.ts';
import { hubScale } from './hub-scale.ts';
import type { Figure } from './table.ts';

/** Keeps the repositories and the database: a run that was interrupted goes on, and a second one asks only. */
const KEPT = process.env.GIT_MEM_BENCH_HUB_FOLDER;

/** The hub on a PostgreSQL of its own: how long everything takes. */
export async function hub(): Promise<Figure[]> {
  const programs = postgresPrograms();
  if (programs === undefined) {
    console.log('\nHub left out: no PostgreSQL is installed (apt-get install postgresql).');
    return [];
  }
  const folder = KEPT ?? makeFolder();
  mkdirSync(folder, { recursive: true });
  // With fsync, which tests do without: this is about the time it takes.
  const settings = ['shared_buffers=1GB', 'max_wal_size=4GB', 'fsync=on'].flatMap((one) => ['-c', one]);
  const server = startPostgres(programs, settings, KEPT);
  try {
    return await hubScale(folder, server);
  } finally {
    server.stop();
    if (KEPT === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
