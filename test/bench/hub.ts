import { postgresPrograms, startPostgres } from '../support/postgres.ts';
import { hubScale } from './hub-scale.ts';

/** The hub on a PostgreSQL of its own: how long everything takes. */
export async function hub(): Promise<boolean | undefined> {
  const programs = postgresPrograms();
  if (programs === undefined) {
    console.log('\nHub left out: no PostgreSQL is installed (apt-get install postgresql).');
    return undefined;
  }
  const server = startPostgres(programs, ['-c', 'shared_buffers=1GB', '-c', 'max_wal_size=4GB']);
  try {
    return await hubScale(server.createDatabase());
  } finally {
    server.stop();
  }
}
