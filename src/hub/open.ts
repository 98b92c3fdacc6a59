import type { Environment } from '../user-folders.ts';
import type { HubConfig } from './config.ts';
import { type Database, SCHEMA } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { openPglite } from './database/pglite.ts';
import { openPostgres } from './database/postgres.ts';
import { openIngestion } from './ingest/ingestion.ts';
import { openOperation } from './operation.ts';
import { openReading } from './reading.ts';
import { openRights } from './rights/access.ts';
import { openVectors } from './vectors/vectors.ts';

interface Opening {
  config: HubConfig;
  env: Environment;
}

/**
 * The hub: one index of many repositories' memories, with the forge's rights. Everything served goes through it; what lies
 * behind it (PostgreSQL or PGlite) is derived from git, except principals, tokens and the audit log.
 */
export type Hub = Awaited<ReturnType<typeof serveDatabase>>;

/**
 * Opens a configured hub: on PostgreSQL if the configuration names a database, else on PGlite in its folder. Brings the
 * schema up to date and applies the list of repositories. Throws missing-package, busy, bad-input.
 */
export async function openHub(opening: Opening): Promise<Hub> {
  const database = await openDatabase(opening.config);
  try {
    return await serveDatabase(database, opening);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The hub on an open database; closing it closes the database. */
export async function serveDatabase(database: Database, { config, env }: Opening) {
  const vectors = openVectors(database, { config, env });
  const ingestion = openIngestion(database, { config, env, vectors });
  await ingestion.takeOver();
  return {
    engine: database.kind,
    ...openRights(database),
    ...openReading(database, vectors),
    ...openOperation(database),
    /** The model that finds records by meaning, for operators; undefined if none is configured. */
    vectors: vectors.status,
    sync: ingestion.syncDue,
    work: ingestion.work,
    /** Total milliseconds spent waiting for the database. */
    databaseMs: database.spentMs,
    close: (): Promise<void> => database.close(),
  };
}

/** Opens a configuration's database and migrates it. */
export async function openDatabase({
  database: address,
  folder,
  connections = 10,
}: Pick<HubConfig, 'database' | 'folder'> & { connections?: number }): Promise<Database> {
  const database = address === undefined ? await openPglite(folder) : await openPostgres(address, connections);
  try {
    await migrate(database);
    if (database.kind === 'pglite') await database.query(`SET search_path = ${SCHEMA}, public`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
