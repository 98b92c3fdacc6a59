import { GitMemError, messageOf } from '../../errors.ts';
import { type Database, type Query, SCHEMA } from '../database/database.ts';
import { INDEXED_FROM } from '../database/read.ts';
import { hasWall, openSchema, wallOf } from '../database/wall.ts';

/** Most dimensions that pgvector can index at half precision. */
const MOST_DIMENSIONS = 4000;

/** Iterative scans, which a filtered index needs to find all it should, came with this version. */
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

/** The one claim that is not of a repository: building the index. */
const INDEXING = 0;

/** A model's name and the length of its vectors. */
export interface HeldModel {
  model: string;
  dimensions: number;
}

/** The table of vectors, narrow and apart from the records so that comparing with many of them reads little. */
export interface VectorTable {
  /** The qualified type of a vector. */
  type: string;
  /** Whose vectors the table holds; undefined before the first. */
  held(): Promise<HeldModel | undefined>;
  /** Empties the table if it holds another model's vectors. */
  adopt(model: HeldModel): Promise<void>;
  /** Builds the index once the table is large. */
  settle(): Promise<void>;
}

/** Prepares the table; throws `missing-package` where pgvector cannot be used, with what to do. */
export async function prepareTable(database: Database): Promise<VectorTable> {
  const schema = await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1, $2)', LOCK);
    const schema = await extensionIn(query);
    const [there] = await query("SELECT 1 AS one FROM pg_tables WHERE schemaname = $1 AND tablename = 'embedding'", [
      SCHEMA,
    ]);
    if (there === undefined) {
      await query(TABLE(`${schema}.halfvec`));
      if (await hasWall(query)) await query(wallOf('embedding'));
    }
    return schema;
  });
  const { query } = database;
  const held = async () => {
    const [held] = await query<HeldModel>(
      `SELECT value::jsonb->>'model' AS model, (value::jsonb->>'dimensions')::integer AS dimensions
       FROM setting WHERE name = 'vectors'`,
    );
    return held;
  };
  return {
    type: `${schema}.halfvec`,
    held,
    async adopt({ model, dimensions }) {
      const now = await held();
      if (now?.model === model && now.dimensions === dimensions) return;
      if (dimensions > MOST_DIMENSIONS) {
        const message = `${model} gives vectors of ${dimensions} numbers, and ${MOST_DIMENSIONS} fit.`;
        throw new GitMemError('provider', message);
      }
      await database.transaction(async (query) => {
        await query('TRUNCATE embedding');
        await query('DROP INDEX IF EXISTS embedding_nearest');
        await query(`ALTER TABLE embedding ALTER COLUMN vector TYPE ${schema}.halfvec(${Math.floor(dimensions)})`);
        await query(
          "INSERT INTO setting VALUES ('vectors', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
          [JSON.stringify({ model, dimensions })],
        );
      });
    },
    async settle() {
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

/** The schema that pgvector is in, which is ours unless somebody installed it before. */
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

/** Builds the index beside readers and writers; one that a killed worker left unfinished is rebuilt. */
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
