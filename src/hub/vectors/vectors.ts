import { createCleaner } from '../../capture/drain/clean.ts';
import { GitMemError, messageOf } from '../../errors.ts';
import { textsOf } from '../../index/document.ts';
import { cleaning, type Embedder, embedderOf } from '../../index/embed/embedder.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { questionVector } from '../../search/question-vector.ts';
import type { Environment } from '../../user-folders.ts';
import type { HubConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { prepareTable, put, type VectorTable } from './table.ts';

/** Records sent to the model and written at a time: no more than its client puts into one request. */
const BATCH = 64;

/** How long this process leaves a failed model alone, in milliseconds: every sync would wait for it. */
const REST_MS = 60_000;

export interface VectorStatus {
  model: string;
  /** Observations and summaries, and how many of them lack a vector. */
  records: number;
  missing: number;
  /** Why vectors are missing, and what to do. */
  problem?: string;
  hint?: string;
}

interface Prepared {
  embedder: Embedder;
  table: VectorTable;
}

/** The configured model's vectors of records and questions. One model serves the whole hub, so its vectors are comparable. */
export type Vectors = ReturnType<typeof openVectors>;

export function openVectors(database: Database, { config, env }: { config: HubConfig; env: Environment }) {
  const { query } = database;
  let prepared: Promise<Prepared | undefined> | undefined;
  let restsUntil = 0;
  let hasGrown = true;

  /** Undefined without a model; throws missing-package without pgvector. */
  function ready(): Promise<Prepared | undefined> {
    prepared ??= prepare(database, config, env).catch((error: unknown) => {
      if (!(error instanceof GitMemError)) prepared = undefined;
      throw error;
    });
    return prepared;
  }

  /** The same, but undefined without pgvector, which `status` reports. */
  const usable = () =>
    ready().catch((error: unknown) => {
      if (!(error instanceof GitMemError)) throw error;
      return undefined;
    });

  return {
    /** Computes missing vectors for a repository's records. If the model fails, that is noted, and it is asked again later. */
    async fill(repository: number): Promise<void> {
      const model = await usable();
      if (model === undefined || Date.now() < restsUntil) return;
      try {
        hasGrown = (await fillFrom(database, model, repository)) || hasGrown;
        await query("DELETE FROM setting WHERE name = 'vectors-problem'");
        if (hasGrown) await model.table.settle();
        hasGrown = false;
      } catch (error) {
        // A database outage is not the model's problem.
        if (!(error instanceof GitMemError) || error.code === 'busy') throw error;
        restsUntil = Date.now() + REST_MS;
        await put(query, 'vectors-problem', messageOf(error));
      }
    },
    /** The vector of a question, or why there is none; undefined if questions are answered by words alone. */
    async ofQuestion(text: string): Promise<{ vector: Float32Array } | { note: string } | undefined> {
      const model = await usable();
      if (model === undefined) return undefined;
      const { embedder, table } = model;
      const held = await table.held();
      // Before the first sync with this model, nothing can be compared with the question.
      if (held?.model !== embedder.name) return undefined;
      const asked = await questionVector(database, embedder, text);
      if ('problem' in asked) return { note: `${embedder.name} did not answer (${asked.problem}): found by words.` };
      return asked.vector.length === held.dimensions ? { vector: asked.vector } : undefined;
    },
    async status(): Promise<VectorStatus | undefined> {
      if (config.embed.provider === 'local') return undefined;
      try {
        const model = await ready();
        if (model === undefined) return undefined;
        const held = await model.table.held();
        const [counts] = await query<{ records: number; missing: number }>(COUNTS);
        const [failed] = await query<{ value: string }>("SELECT value FROM setting WHERE name = 'vectors-problem'");
        const { records = 0, missing = 0 } = counts ?? {};
        const isOther = held !== undefined && held.model !== model.embedder.name;
        const about = { model: model.embedder.name, records, missing: isOther ? records : missing };
        return { ...about, ...(failed && { problem: failed.value }) };
      } catch (error) {
        if (!(error instanceof GitMemError)) throw error;
        const { message: problem, hint } = error;
        const model = config.embed.model || config.embed.provider;
        return { model, records: 0, missing: 0, problem, ...(hint && { hint }) };
      }
    },
  };
}

/** Returns whether vectors were added. */
async function fillFrom({ query }: Database, { embedder, table }: Prepared, repository: number): Promise<boolean> {
  const lacking = () => query<{ row: number; record: MemoryRecord }>(LACKING, [repository]);
  const held = await table.held();
  // An earlier model's vectors would count as present, so they are removed first.
  const isOther = held !== undefined && held.model !== embedder.name;
  if (isOther) await table.adopt({ model: embedder.name, dimensions: held.dimensions });
  if ((await lacking()).length > 0) await query(COPY, [repository]);
  let hasAdded = false;
  for (let rows = await lacking(); rows.length > 0; rows = await lacking()) {
    // The same texts that a checkout would send.
    const parts = rows.map(({ record }) => textsOf(record).map((part) => part.trim()));
    const texts = parts.map((one) => one.filter(Boolean).join('\n'));
    const vectors = await embedder.embed(texts, 'document');
    await table.adopt({ model: embedder.name, dimensions: vectors[0]?.length ?? 0 });
    await query(
      `INSERT INTO embedding (repository, row, oid, vector)
       SELECT $1, r.row, r.oid, new.vector::${table.type} FROM unnest($2::integer[], $3::text[]) AS new (row, vector)
       JOIN record r ON r.repository = $1 AND r.row = new.row ON CONFLICT DO NOTHING`,
      [repository, rows.map(({ row }) => row), vectors.map(literalOf)],
    );
    hasAdded = true;
  }
  return hasAdded;
}

async function prepare(database: Database, config: HubConfig, env: Environment): Promise<Prepared | undefined> {
  const embedder = embedderOf(config.embed, env);
  if (embedder === undefined) return undefined;
  if (database.kind === 'pglite') {
    throw new GitMemError('missing-package', 'Questions are answered by words alone: PGlite has no pgvector.', {
      hint: 'A model needs PostgreSQL with pgvector: database: postgres://… in hub.yaml',
    });
  }
  return { embedder: cleaning(embedder, createCleaner([]).text), table: await prepareTable(database) };
}

/** Records without a vector. Marks need none: their few words say nothing by themselves. */
const LACKING = `
  SELECT r.row, r.record FROM record r
  WHERE r.repository = $1 AND r.kind IN ('observation', 'summary')
    AND NOT EXISTS (SELECT FROM embedding e WHERE e.repository = r.repository AND e.row = r.row)
  ORDER BY r.row DESC LIMIT ${BATCH}`;

/** Copies vectors that other repositories have for the same blobs. */
const COPY = `
  INSERT INTO embedding (repository, row, oid, vector)
  SELECT DISTINCT ON (r.row) r.repository, r.row, r.oid, e.vector FROM record r JOIN embedding e ON e.oid = r.oid
  WHERE r.repository = $1 AND NOT EXISTS (SELECT FROM embedding own WHERE own.repository = r.repository AND own.row = r.row)
  ON CONFLICT DO NOTHING`;

const COUNTS = `
  SELECT count(*)::int AS records, count(*) FILTER (WHERE e.row IS NULL)::int AS missing
  FROM record r LEFT JOIN embedding e ON e.repository = r.repository AND e.row = r.row
  WHERE r.kind IN ('observation', 'summary')`;

/** A vector as pgvector reads it. */
export function literalOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
