import { isCode, type Query, READER, SCHEMA } from './database.ts';
import { READ_NAME } from './read.ts';

/** The role that the reading function runs as: it may select, behind row level security, and nobody can sign in as it. */
const GATE = 'git_mem_hub_gate';

/**
 * Rights that nobody has confirmed for longer than this are refused: the longest that somebody who lost them can still read
 * while the code host does not answer.
 */
export const RIGHTS_AGE = "interval '1 hour'";

/** What PostgreSQL says to a role that lacks a right. */
const DENIED = '42501';

const FUNCTION = `${READ_NAME}(integer, integer[], text, jsonb)`;

/**
 * Roles are the server's, not the database's: another hub, or an administrator, may have made them. A superuser needs
 * no membership. To own a function a role has to be allowed to create in its schema, at that moment.
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
GRANT EXECUTE ON FUNCTION ${FUNCTION} TO ${READER};
ALTER FUNCTION ${FUNCTION} OWNER TO ${GATE};
REVOKE CREATE ON SCHEMA ${SCHEMA} FROM ${GATE};
`;

/**
 * Builds the second wall: whatever the reading function asks for, it sees rows of those repositories only that the principal has a
 * fresh right to, and who asks it may do nothing else. It needs two roles. A role that may not make them goes without:
 * then each of its statements names the repositories, and nothing stands behind it. `doctor` says so.
 */
export async function buildWall(query: Query, { isNew }: { isNew: boolean }): Promise<void> {
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

/** Puts a table behind the wall. The list is made once a statement and looked up by hash: a microsecond a row. */
export function wallOf(table: string): string {
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY rights ON ${table} FOR SELECT TO ${GATE} USING (${table === 'repository' ? 'number' : 'repository'} IN (
  SELECT access.repository FROM access
  WHERE access.principal = current_setting('${SCHEMA}.principal')::integer AND access.at > now() - ${RIGHTS_AGE}));
GRANT SELECT ON ${table} TO ${GATE};`;
}

/** Lets the reading function use the types of an extension that lies in another schema. */
export async function openSchema(query: Query, schema: string): Promise<void> {
  if (await hasWall(query)) await query(`GRANT USAGE ON SCHEMA ${schema} TO ${GATE}`);
  await query(`ALTER FUNCTION ${SCHEMA}.${FUNCTION} SET search_path = ${SCHEMA}, ${schema}, pg_temp`);
}
