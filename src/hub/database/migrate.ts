import { GitMemError, messageOf } from '../../errors.ts';
import { type Database, isCode, optional, type Query, SCHEMA } from './database.ts';
import { READ, READ_NAME } from './read.ts';
import { TABLES } from './tables.ts';
import { buildWall } from './wall.ts';

/**
 * Every change of the tables since the first version, in order. Those of released versions never change, and what the
 * version before reads stays: its servers and workers go on meanwhile.
 */
const MIGRATIONS: { name: string; sql: string }[] = [{ name: '001-first', sql: TABLES }];

/** Key of the lock that one migrating process holds: "gm" and "up". */
const LOCK = [0x676d, 0x7570];

/** Brings the schema up to date, in one transaction; processes that start together wait for each other. */
export async function migrate(database: Database): Promise<void> {
  const { Umzug } = await optional(database.kind, () => import('umzug'));
  const migrated = database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1, $2)', LOCK);
    // Even where it is there, the statement needs the right to create one.
    const [there] = await query('SELECT 1 AS one FROM pg_namespace WHERE nspname = $1', [SCHEMA]);
    if (there === undefined) await query(`CREATE SCHEMA ${SCHEMA}`);
    await query(`SET LOCAL search_path = ${SCHEMA}, pg_temp`);
    await query('CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())');
    const migrations = MIGRATIONS.map(({ name, sql }) => ({ name, up: () => query(sql) }));
    await new Umzug({ migrations, storage: storageIn(query), logger: undefined }).up();
    const [known] = await query('SELECT 1 AS one FROM pg_proc WHERE pronamespace = $1::regnamespace AND proname = $2', [
      SCHEMA,
      READ_NAME,
    ]);
    if (known === undefined) await query(READ);
    await buildWall(query, { isNew: known === undefined });
  });
  await migrated.catch((error: unknown) => {
    if (!isCode(error, '42501')) throw error;
    throw new GitMemError('bad-input', `The role of the hub lacks a right in its database: ${messageOf(error)}.`, {
      hint: 'GRANT CREATE ON DATABASE … TO its role; docs/hub.md lists the rights.',
      cause: error,
    });
  });
}

/** Where it is noted which migrations are done. */
function storageIn(query: Query) {
  return {
    async executed() {
      const rows = await query<{ name: string }>('SELECT name FROM migration ORDER BY name');
      return rows.map(({ name }) => name);
    },
    async logMigration({ name }: { name: string }) {
      await query('INSERT INTO migration (name) VALUES ($1)', [name]);
    },
    async unlogMigration({ name }: { name: string }) {
      await query('DELETE FROM migration WHERE name = $1', [name]);
    },
  };
}
