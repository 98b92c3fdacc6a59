import { GitMemError, messageOf } from '../../errors.ts';
import { type Database, type Query, SCHEMA } from '../database/database.ts';
import { hasWall, openSchema, wallOf } from '../database/migrate.ts';
import { INDEXED_FROM } from '../database/read.ts';

/** Maximum dimensions that pgvector can index at half precision. */
const MOST_DIMENSIONS = 4000;

/** The first version with iterative scans, which a filtered index needs to find all it should. */
const OLDEST = '0.8';

const TABLE = (type: string) => `
CREATE TABLE embedding (
  repository integer NOT NULL,
  row integer NOT NULL,
  -- A blob has the same vector wherever it is.
  oid text NOT NULL,
  vector ${type} NOT NULL,
  PRIMARY KEY (repository, row),
  FOREIGN KEY (repository, row) REFERENCES record ON DELETE CASCADE
);
CREATE INDEX embedding_oid ON embedding (oid);`;

/** Key of the lock that one preparing process holds: "gm" and "ve". */
const LOCK = [0x676d, 0x7665];

/** The one claim that is not a repository's: building the index. */
const INDEXING = 0;

/** Puts a setting. */
export async function put(query: Query, name: string, value: string): Promise<void> {
  const sql = 'INSERT INTO setting VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  await query(sql, [name, value]);
}

/** A model's name and the length of its vectors. */
interface HeldModel {
  model: string;
  dimensions: number;
}

/** The table of vectors, narrow and apart from the records so that comparing many reads little. */
export type VectorTable = Awaited<ReturnType<typeof prepareTable>>;

/** Prepares the table; throws `missing-package`, with what to do, if pgvector cannot be used. */
export async function prepareTable(database: Database) {
  const schema = await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1, $2)', LOCK);
    const schema = await extensionIn(query);
    const there = "SELECT 1 AS one FROM pg_tables WHERE schemaname = $1 AND tablename = 'embedding'";
    if ((await query(there, [SCHEMA])).length === 0) {
      await query(TABLE(`${schema}.halfvec`));
      if (await hasWall(query)) await query(wallOf('embedding'));
    }
    return schema;
  });
  const { query } = database;
  /** The model whose vectors the table holds; undefined before the first. */
  const held = async (): Promise<HeldModel | undefined> => {
    const sql = `SELECT value::jsonb->>'model' AS model, (value::jsonb->>'dimensions')::integer AS dimensions
      FROM setting WHERE name = 'vectors'`;
    return (await query<HeldModel>(sql))[0];
  };
  return {
    /** The qualified type of a vector. */
    type: `${schema}.halfvec`,
    held,
    /** Empties the table if it holds another model's vectors. */
    async adopt({ model, dimensions }: HeldModel): Promise<void> {
      const now = await held();
      if (now?.model === model && now.dimensions === dimensions) return;
      if (dimensions > MOST_DIMENSIONS) {
        throw new GitMemError('provider', `${model} gives vectors of ${dimensions} numbers: ${MOST_DIMENSIONS} fit.`);
      }
      await database.transaction(async (query) => {
        await query('TRUNCATE embedding');
        await query('DROP INDEX IF EXISTS embedding_nearest');
        await query(`ALTER TABLE embedding ALTER COLUMN vector TYPE ${schema}.halfvec(${Math.floor(dimensions)})`);
        await put(query, 'vectors', JSON.stringify({ model, dimensions }));
      });
    },
    /** Builds the index once the table is large. */
    async settle(): Promise<void> {
      const release = await database.claim(INDEXING);
      if (release === undefined) return;
      try {
        await buildIndex(query, schema);
      } finally {
        await release();
      }
    },
  };
}

/** The schema of pgvector, which is ours unless somebody installed it before. */
async function extensionIn(query: Query): Promise<string> {
  const [offered] = await query<{ version: string; schema: string | null }>(
    `SELECT coalesce(a.installed_version, a.default_version) AS version, quote_ident(n.nspname) AS schema
     FROM pg_available_extensions a LEFT JOIN pg_extension e ON e.extname = a.name LEFT JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE a.name = 'vector'`,
  );
  if (offered === undefined) throw absent('this PostgreSQL has no pgvector', 'Install pgvector on its server.');
  if (offered.version.localeCompare(OLDEST, 'en', { numeric: true }) < 0) {
    throw absent(`pgvector ${offered.version} is older than ${OLDEST}`, 'ALTER EXTENSION vector UPDATE');
  }
  if (offered.schema === null) {
    await query(`CREATE EXTENSION vector WITH SCHEMA ${SCHEMA}`).catch((error: unknown) => {
      throw absent(`pgvector cannot be created: ${messageOf(error)}`, 'As a superuser: CREATE EXTENSION vector');
    });
    return SCHEMA;
  }
  if (offered.schema !== SCHEMA) await openSchema(query, offered.schema);
  return offered.schema;
}

function absent(what: string, hint: string): GitMemError {
  return new GitMemError('missing-package', `Questions are answered by words alone: ${what}.`, { hint });
}

/** Builds the index of a large table beside readers and writers; rebuilds one that a killed worker left unfinished. */
async function buildIndex(query: Query, schema: string): Promise<void> {
  const [index] = await query<{ valid: boolean }>(
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('${SCHEMA}.embedding_nearest')`,
  );
  if (index?.valid) return;
  const [count] = await query<{ many: boolean }>(
    `SELECT count(*) >= ${INDEXED_FROM} AS many FROM (SELECT FROM embedding LIMIT ${INDEXED_FROM}) counted`,
  );
  if (count?.many !== true) return;
  if (index !== undefined) await query('DROP INDEX embedding_nearest');
  await query(
    `CREATE INDEX CONCURRENTLY embedding_nearest ON embedding USING hnsw (vector ${schema}.halfvec_cosine_ops)`,
  );
}
