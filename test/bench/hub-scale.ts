import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { type HubWorld, openWorld } from '../support/hub-world.ts';
import { pgvectorPrograms } from '../support/pgvector.ts';
import type { TestServer } from '../support/postgres.ts';
import { addCommit, type BareRemote, makeOrganisation, observation } from './hub-organisation.ts';
import { questions } from './hub-questions.ts';
import { spelling, startSpellingModel } from './hub-retrieval.ts';
import { workers } from './hub-workers.ts';
import { progressOf } from './progress.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/** Repositories and records in each; `GIT_MEM_BENCH_HUB=50x400` for a try. */
const [REPOSITORIES = 500, RECORDS = 400] = (process.env.GIT_MEM_BENCH_HUB ?? '500x400').split('x').map(Number);

/** Syncs and questions of an organisation; the folder keeps what took long, so that a run may go on where one ended. */
export async function hubScale(folder: string, server: TestServer): Promise<Figure[]> {
  const { createDatabase, pid: serverPid } = server;
  const remotes = makeOrganisation(folder, { repositories: REPOSITORIES, records: RECORDS });
  const world = await openWorld(folder, remotes, { address: createDatabase('scale') });
  const rows: string[][] = [];
  const part = async (name: string, measure: () => Promise<string[][]>) => {
    const load = `load ${loadavg()[0]?.toFixed(1)}`;
    console.error(`  hub, ${name}, ${load}, ${new Date().toISOString().slice(11, 16)} UTC`);
    const measured = await measure();
    rows.push(...measured);
    // At once, because the next part may take long.
    printTable(
      `Hub, ${name}, ${load}, wall times`,
      [`${REPOSITORIES} repositories x ${RECORDS} records`, '', 'bound', ''],
      measured,
    );
  };
  try {
    const names = remotes.map(({ name }) => name);
    await part('syncs', () => syncs(world, remotes));
    await part('questions, 16 at once', () => questions(world, names, { serverPid }));
  } finally {
    await world.close();
  }
  if (pgvectorPrograms() === undefined) console.log('\nHybrid questions left out: no pgvector is installed.');
  else await part('vectors', () => hybrid(folder, remotes, { address: createDatabase('scale'), serverPid }));
  await part('workers', () => workers(folder, remotes, createDatabase));
  return figuresIn(rows, { isWhole: true });
}

async function syncs(world: HubWorld, remotes: BareRemote[]): Promise<string[][]> {
  const seconds = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return (performance.now() - start) / 1000;
  };
  const first = await firstSync(world);
  await world.database.query('VACUUM ANALYZE');
  const unchanged = await seconds(async () => {
    const { changed, problems } = await world.sync();
    if (changed.length + problems.length > 0) throw new Error(`${changed.length} synced. ${problems[0]}`);
  });
  const [{ root, name } = { root: '', name: '' }] = remotes;
  const before = (await world.hub.status()).records;
  addCommit(root, [observation(0, before)], { isNext: true });
  await world.hub.requestSync(name);
  const one = await seconds(() => world.hub.sync({}));
  const { records } = await world.hub.status();
  if (records !== before + 1) throw new Error(`${records} records after ${before} and one more.`);
  return [
    figure('first sync, s', first, 1),
    figure('sync with nothing changed, s', unchanged, 2, { atMost: 5 }),
    figure('one changed repository, s', one, 2, { atMost: 2 }),
    ...(await sizesOf(world)),
  ];
}

/** The same questions by words and by the vectors of a model, which are made here first. */
async function hybrid(
  folder: string,
  remotes: BareRemote[],
  { address, serverPid }: { address: string; serverPid: number },
): Promise<string[][]> {
  const { base, close } = await startSpellingModel();
  const more = `embed: {provider: openai, model: spelling, base_url: "${base}"}`;
  const world = await openWorld(folder, remotes, { address, more });
  try {
    const start = performance.now();
    const { problems } = await world.sync();
    if (problems.length > 0) throw new Error(problems[0]);
    const made = (performance.now() - start) / 1000;
    await world.database.query('ANALYZE');
    const names = remotes.map(({ name }) => name);
    const [size] = await world.database.query<{ table: number; indexes: number }>(
      "SELECT pg_table_size('embedding')::float8 AS table, pg_indexes_size('embedding')::float8 AS indexes",
      [],
    );
    return [
      figure('a vector for each record, and their index, s', made, 1),
      figure('  table, MB', (size?.table ?? 0) / 1e6, 0),
      figure('  indexes, MB', (size?.indexes ?? 0) / 1e6, 0),
      ...(await questions(world, names, { vectorOf: spelling, serverPid })),
    ];
  } finally {
    await world.close();
    close();
  }
}

async function sizesOf({ hub, database }: HubWorld): Promise<string[][]> {
  const { databaseBytes, records } = await hub.status();
  const tables = await database.query<{ name: string; rows: number; table: number; indexes: number }>(
    `SELECT relname AS name, reltuples::float8 AS rows, pg_table_size(oid)::float8 AS table, pg_indexes_size(oid)::float8 AS indexes
     FROM pg_class WHERE relname IN ('record', 'posting') AND relkind = 'r' ORDER BY relname`,
  );
  return [
    figure('records', records, 0),
    figure('database, MB', databaseBytes / 1e6, 0),
    ...tables.flatMap(({ name, rows, table, indexes }) => [
      figure(`  ${name}: rows`, rows, 0),
      figure('    table, MB', table / 1e6, 0),
      figure('    indexes, MB', indexes / 1e6, 0),
    ]),
  ];
}

/** Syncs what was never synced, and tells how many seconds that took, those of interrupted runs included. */
async function firstSync(world: HubWorld): Promise<number> {
  const kept = join(world.folder, 'first-sync');
  const before = existsSync(kept) ? Number(readFileSync(kept, 'utf8')) : 0;
  const { repositories } = await world.hub.status();
  const left = repositories.filter(({ head }) => head === '').length;
  if (left === 0) return before;
  const progress = progressOf('hub, first sync', left);
  const start = performance.now();
  const soFar = () => before + (performance.now() - start) / 1000;
  mkdirSync(dirname(kept), { recursive: true });
  await world.ingestion.syncDue({
    onSynced({ name, problem }) {
      if (problem !== undefined) throw new Error(`${name}: ${problem}`);
      progress.step();
      writeFileSync(kept, String(soFar()));
    },
  });
  progress.end();
  return soFar();
}
