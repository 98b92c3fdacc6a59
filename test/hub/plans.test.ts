import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READ_NAME } from '../../src/hub/database/read.ts';
import { openDatabase } from '../../src/hub/open.ts';
import { postgresPrograms, startPostgres, type TestServer } from '../support/postgres.ts';
import { FULL } from '../support/trials.ts';

const REPOSITORIES = 500;
/** In each: 200,000 records in a full run. */
const RECORDS = FULL ? 400 : 20;
/** Words of a record out of a vocabulary whose first words are in most records. */
const WORDS = 12;

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('plans of questions (skipped where no PostgreSQL is installed)', () => {
  let server: TestServer;
  let client: pg.Client;
  let plans = '';

  beforeAll(async () => {
    if (programs === undefined) return;
    server = startPostgres(programs);
    const address = server.createDatabase();
    await (await openDatabase({ database: address, folder: '' })).close();
    client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query(`SET search_path = git_mem_hub`);
    await client.query(FILLED);
    await client.query('ANALYZE');
    await client.query(
      `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
       SET auto_explain.log_level = notice`,
    );
    client.on('notice', ({ message = '' }) => {
      plans += `${message}\n`;
    });
  });
  afterAll(async () => {
    await client.end();
    server.stop();
  });

  it.each([3, 60, REPOSITORIES])(
    'read neither all records nor all words for rights of %i repositories',
    async (count) => {
      const repositories = Array.from({ length: count }, (_, i) => i + 1);
      const rows = Array.from({ length: Math.min(300, count * RECORDS) }, (_, i) => i);
      const places = { places: rows.map((i) => (i % count) + 1), rows: rows.map((i) => Math.floor(i / count) + 1) };
      const questions: [string, { keys?: string[]; places?: number[]; rows?: number[]; [part: string]: unknown }][] = [
        ['words', { keys: ['w1', 'w2', 'w700'] }],
        [
          'candidates',
          {
            words: [
              { key: 'w1', weight: 1 },
              { key: 'w300', weight: 3 },
            ],
            limit: 300,
            mean: 12,
          },
        ],
        ['places', places],
        ['documents', places],
        ['records', places],
        ['sessions', { places: places.places, keys: places.rows.map((row) => `s${row}`) }],
        ['citing', { places: places.places, keys: places.rows.map((row) => `/src/f${row}.ts`), limit: 8 }],
      ];
      for (const [question, argument] of questions) {
        plans = '';
        const { keys = [], places = [], rows = [], ...rest } = argument;
        await client.query(`SELECT count(*) FROM git_mem_hub.${READ_NAME}($1, $2, $3, $4::text::jsonb, $5, $6, $7)`, [
          1,
          repositories,
          question,
          JSON.stringify(rest),
          keys,
          places,
          rows,
        ]);
        expect(plans, question).toMatch(/(?:Index|Bitmap).* on (?:record|posting|repository)/);
        expect(plans, question).not.toMatch(/Seq Scan on (?:record|posting)\b/);
      }
    },
  );
});

/** Repositories, records and their words, made by the database itself, and a principal who may read all. */
const FILLED = `
INSERT INTO repository (name, url, documents, records)
  SELECT 'r' || n, 'https://forge.example/r' || n, ${RECORDS}, ${RECORDS} FROM generate_series(1, ${REPOSITORIES}) n;
INSERT INTO principal (subject, name) VALUES ('test:all', 'All');
INSERT INTO access SELECT 1, number, 'test', now() FROM repository;
INSERT INTO record (repository, row, oid, path, id, kind, type, created, author, session, concepts, files, record, terms,
    lengths, length, spelling, bytes, prints, freshness, state, hidden)
  SELECT p, n, md5(p || ' ' || n), 'x', substr(md5(p || ' ' || n), 1, 10), 'observation', 'change',
    '2026-11-' || lpad((n % 28 + 1)::text, 2, '0'), 'ada', 's' || n, '{}', ARRAY['src/f' || n || '.ts'],
    jsonb_build_object('narrative', repeat(md5(n::text), 60)), ARRAY[repeat('w1 w2 ', 40)], '{12,0,0,0,0}', 12, '', 2000, '{}',
    'fresh', '{}', false
  FROM generate_series(1, ${REPOSITORIES}) p, generate_series(1, ${RECORDS}) n;
INSERT INTO posting (key, repository, rows)
  SELECT 'w' || (1 + (abs(hashint8(n * ${WORDS} + w)) % (4 ^ (1 + w % 6))::int)), p, array_agg(DISTINCT n)
  FROM generate_series(1, ${REPOSITORIES}) p, generate_series(1, ${RECORDS}) n, generate_series(1, ${WORDS}) w GROUP BY 1, 2;
INSERT INTO posting SELECT '/src/f' || n || '.ts', p, ARRAY[n]
  FROM generate_series(1, ${REPOSITORIES}) p, generate_series(1, ${RECORDS}) n;
`;
