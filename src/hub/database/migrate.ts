import { GitMemError, messageOf } from '../../errors.ts';
import { type Database, isCode, optional, type Query, READER, SCHEMA } from './database.ts';
import { READ, READ_NAME } from './read.ts';
import { TABLES } from './tables.ts';

/**
 * Every schema change since the first version, in order. Released migrations never change, and what the previous version
 * reads stays, because its servers and workers keep running meanwhile.
 */
const MIGRATIONS: { name: string; sql: string }[] = [{ name: '001-first', sql: TABLES }];

/** Key of the lock that one migrating process holds: "gm" and "up". */
const LOCK = [0x676d, 0x7570];

/** Brings the schema up to date, in one transaction; processes that start together wait for each other. */
export async function migrate(database: Database): Promise<void> {
  const migrated = database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1, $2)', LOCK);
    // CREATE SCHEMA IF NOT EXISTS needs the right to create one even if it exists.
    const [there] = await query('SELECT 1 AS one FROM pg_namespace WHERE nspname = $1', [SCHEMA]);
    if (there === undefined) await query(`CREATE SCHEMA ${SCHEMA}`);
    await query(`SET LOCAL search_path = ${SCHEMA}, pg_temp`);
    await query('CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())');
    const storage = storageIn(query);
    const done = await storage.executed();
    // Most processes find nothing to do, and loading the package takes longer than a whole sync that finds nothing new.
    if (MIGRATIONS.some(({ name }) => !done.includes(name))) {
      const { Umzug } = await optional(database.kind, () => import('umzug'));
      const migrations = MIGRATIONS.map(({ name, sql }) => ({ name, up: () => query(sql) }));
      await new Umzug({ migrations, storage, logger: undefined }).up();
    }
    const known = 'SELECT 1 AS one FROM pg_proc WHERE pronamespace = $1::regnamespace AND proname = $2';
    const isNew = (await query(known, [SCHEMA, READ_NAME])).length === 0;
    if (isNew) await query(READ);
    await buildWall(query, isNew);
  });
  await migrated.catch((error: unknown) => {
    if (!isCode(error, DENIED)) throw error;
    throw new GitMemError('bad-input', `The role of the hub lacks a right in its database: ${messageOf(error)}.`, {
      hint: 'GRANT CREATE ON DATABASE … TO its role; docs/hub.md lists the rights.',
      cause: error,
    });
  });
}

/** Keeps the names of completed migrations, for umzug. */
function storageIn(query: Query) {
  return {
    executed: async () =>
      (await query<{ name: string }>('SELECT name FROM migration ORDER BY name')).map(({ name }) => name),
    logMigration: async ({ name }: { name: string }) =>
      void (await query('INSERT INTO migration (name) VALUES ($1)', [name])),
    unlogMigration: async ({ name }: { name: string }) =>
      void (await query('DELETE FROM migration WHERE name = $1', [name])),
  };
}

/** The role that the reading function runs as: it may select, behind row level security, and cannot sign in. */
const GATE = 'git_mem_hub_gate';

/**
 * Rights last confirmed longer ago than this are refused: the longest that somebody who lost them can still read while the
 * code host does not answer.
 */
export const RIGHTS_AGE = "interval '1 hour'";

/** PostgreSQL's code for a missing right. */
const DENIED = '42501';

/**
 * Roles belong to the server, not the database: another hub, or an administrator, may have made them. A superuser needs
 * no membership. A role can own a function only if it may create in the schema at that moment.
 */
const ROLES = `
DO $$ BEGIN
  IF to_regrole('${GATE}') IS NULL THEN CREATE ROLE ${GATE} NOLOGIN; END IF;
  IF to_regrole('${READER}') IS NULL THEN CREATE ROLE ${READER} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN
  IF NOT pg_has_role(current_user, '${GATE}', 'MEMBER') THEN GRANT ${GATE} TO CURRENT_USER; END IF;
  IF NOT pg_has_role(current_user, '${READER}', 'MEMBER') THEN GRANT ${READER} TO CURRENT_USER; END IF;
END $$;
GRANT USAGE ON SCHEMA ${SCHEMA} TO ${GATE}, ${READER};
GRANT SELECT ON access TO ${GATE};
`;

const OWNED = `
GRANT CREATE ON SCHEMA ${SCHEMA} TO ${GATE};
GRANT EXECUTE ON FUNCTION ${READ_NAME} TO ${READER};
ALTER FUNCTION ${READ_NAME} OWNER TO ${GATE};
REVOKE CREATE ON SCHEMA ${SCHEMA} FROM ${GATE};
`;

/**
 * Builds the second wall: whatever the reading function asks for, it sees only rows of repositories to which the principal
 * has a fresh right, and its callers may do nothing else. This needs two roles. An owner that may not create them goes
 * without: then rows are restricted only by the repositories that each statement names. `doctor` reports it.
 */
async function buildWall(query: Query, isNew: boolean): Promise<void> {
  if (await hasWall(query)) {
    if (isNew) await query(OWNED);
    return;
  }
  await query('SAVEPOINT wall');
  try {
    await query(ROLES);
    await query(OWNED);
    for (const table of ['repository', 'record', 'posting', 'withheld']) await query(wallOf(table));
    await query("INSERT INTO setting VALUES ('wall', 'roles')");
  } catch (error) {
    if (!isCode(error, DENIED)) throw error;
    await query('ROLLBACK TO SAVEPOINT wall');
  }
}

export async function hasWall(query: Query): Promise<boolean> {
  return (await query(`SELECT 1 AS one FROM ${SCHEMA}.setting WHERE name = 'wall'`)).length > 0;
}

/** Puts a table behind the wall. The list is built once per statement and looked up by hash: a microsecond a row. */
export function wallOf(table: string): string {
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY rights ON ${table} FOR SELECT TO ${GATE} USING (${table === 'repository' ? 'number' : 'repository'} IN (
  SELECT access.repository FROM access
  WHERE access.principal = current_setting('${SCHEMA}.principal')::integer AND access.at > now() - ${RIGHTS_AGE}));
GRANT SELECT ON ${table} TO ${GATE};`;
}

/** Lets the reading function use the types of an extension in another schema. */
export async function openSchema(query: Query, schema: string): Promise<void> {
  if (await hasWall(query)) await query(`GRANT USAGE ON SCHEMA ${schema} TO ${GATE}`);
  await query(`ALTER FUNCTION ${SCHEMA}.${READ_NAME} SET search_path = ${SCHEMA}, ${schema}, pg_temp`);
}
