import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { type HubWorld, openWorld } from '../support/hub-world.ts';
import { addCommit, type BareRemote, makeOrganisation, observation } from './hub-organisation.ts';
import { questions } from './hub-questions.ts';
import { workers } from './hub-workers.ts';
import { progressOf } from './progress.ts';
import { allHold, figure, printTable } from './table.ts';

/** Repositories and records in each; `GIT_MEM_BENCH_HUB=50x400` for a try. */
const [REPOSITORIES = 500, RECORDS = 400] = (process.env.GIT_MEM_BENCH_HUB ?? '500x400').split('x').map(Number);

/** Syncs and questions of an organisation; the folder keeps what took long, so that a run may go on where one ended. */
export async function hubScale(folder: string, createDatabase: (name: string) => string): Promise<boolean> {
  const remotes = makeOrganisation(folder, { repositories: REPOSITORIES, records: RECORDS });
  const world = await openWorld(folder, remotes, { address: createDatabase('scale') });
  const rows: string[][] = [];
  const part = async (name: string, measure: () => Promise<string[][]>) => {
    console.error(`  hub, ${name}: the machine's load is ${loadavg()[0]?.toFixed(1)}`);
    rows.push([`${name}, load ${loadavg()[0]?.toFixed(1)}`, '', '', ''], ...(await measure()));
  };
  try {
    await part('syncs', () => syncs(world, remotes));
    const names = remotes.map(({ name }) => name);
    await part('questions, 16 at once', () => questions(world, names));
  } finally {
    await world.close();
  }
  await part('workers', () => workers(folder, remotes, createDatabase));
  printTable('Hub, wall times', [`${REPOSITORIES} repositories x ${RECORDS} records`, '', 'bound', ''], rows);
  return allHold(rows);
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
  const { databaseBytes, records } = await world.hub.status();
  if (records !== before + 1) throw new Error(`${records} records after ${before} and one more.`);
  return [
    figure('first sync, s', first, 1),
    figure('sync with nothing changed, s', unchanged, 2, { atMost: 5 }),
    figure('one changed repository, s', one, 2, { atMost: 2 }),
    figure('records', records, 0),
    figure('database, MB', databaseBytes / 1e6, 0),
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
