import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeFolder } from '../support/hub-world.ts';
import { freePort } from '../support/loopback.ts';
import { postgresPrograms, startPostgres, type TestServer } from '../support/postgres.ts';
import { addCommit, type BareRemote, makeOrganisation, marks, observation } from './hub-organisation.ts';
import { questions } from './hub-questions.ts';
import { processorMs } from './processor-time.ts';
import { type Figure, figure, figuresIn, printTable } from './table.ts';

/** Repositories and records in each; `GIT_MEM_BENCH_HUB=50x400` for a try. */
const [REPOSITORIES = 500, RECORDS = 400] = (process.env.GIT_MEM_BENCH_HUB ?? '500x400').split('x').map(Number);

/** Keeps the repositories and the database: a run that was interrupted goes on, and a second one asks only. */
const KEPT = process.env.GIT_MEM_BENCH_HUB_FOLDER;

/** Redact marks of one repository, in the comparison with one that has none. */
const MARKS = 16;

/** An organisation, its database and where git serves its repositories from. */
export interface HubBench {
  folder: string;
  remotes: BareRemote[];
  server: TestServer;
  /** The address of a remote. */
  urlOf(remote: BareRemote): string;
  daemon: number;
}

/** The hub as people run it: its program, a PostgreSQL of its own with fsync, and repositories behind `git daemon`. */
export async function hub(): Promise<Figure[]> {
  const programs = postgresPrograms();
  if (programs === undefined) {
    console.log('\nHub left out: no PostgreSQL is installed (apt-get install postgresql).');
    return [];
  }
  const folder = KEPT ?? makeFolder(() => {});
  mkdirSync(folder, { recursive: true });
  const remotes = makeOrganisation(folder, { repositories: REPOSITORIES, records: RECORDS });
  const settings = ['shared_buffers=1GB', 'max_wal_size=4GB', 'fsync=on'].flatMap((one) => ['-c', one]);
  const server = startPostgres(programs, settings, KEPT);
  const port = await freePort();
  const base = join(folder, 'remotes');
  const listen = ['--listen=127.0.0.1', `--port=${port}`];
  // By its own name: `git daemon` is a process before it, and would leave it behind when killed.
  const program = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-daemon');
  const daemon = spawn(program, [...listen, '--export-all', `--base-path=${base}`, base], { stdio: 'ignore' });
  try {
    const urlOf = ({ root }: BareRemote) => `git://127.0.0.1:${port}${root.slice(base.length)}`;
    const bench = { folder, remotes, server, urlOf, daemon: daemon.pid ?? 0 };
    const rows = await syncs(bench);
    printTable(`Hub, ${REPOSITORIES} repositories x ${RECORDS} records`, ['syncs', '', 'bound', ''], rows);
    rows.push(...(await questions(bench)));
    return figuresIn(rows, { isWhole: true });
  } finally {
    daemon.kill('SIGKILL');
    server.stop();
    if (KEPT === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function syncs(bench: HubBench): Promise<string[][]> {
  const { folder, remotes, server } = bench;
  const rows: string[][] = [];
  const config = configOf(bench, 'scale', remotes);
  const kept = join(folder, 'first-sync.json');
  if (!existsSync(kept)) {
    const costs = [];
    // An empty one, one of records and one of the same with marks: the difference is not the program's start.
    for (const count of [0, MARKS]) {
      const root = join(folder, 'remotes', `marked${count}.git`);
      if (!existsSync(root)) makeOrganisation(folder, { repositories: 1, records: RECORDS, name: `marked${count}` });
      if (count > 0) addCommit(root, marks(count), { isNext: true });
      costs.push(await costOf(bench, configOf(bench, `marked${count}`, [{ name: 'marked', root }])));
    }
    const first = await costOf(bench, config);
    writeFileSync(kept, JSON.stringify([first, ...costs]));
    const client = new pg.Client({ connectionString: server.createDatabase('scale') });
    await client.connect();
    await client.query('VACUUM ANALYZE');
    await client.end();
  }
  const [first = 0, without = 0, marked = 0] = JSON.parse(readFileSync(kept, 'utf8')) as number[];
  const records = REPOSITORIES * RECORDS;
  rows.push(
    figure('first sync, processor ms a record, git and its remotes included', first / records, 2, { atMost: 1 }),
    figure('  in all, s', first / 1000, 0),
    figure(`one repository with ${MARKS} redact marks against one without`, marked / without, 2, { atMost: 1.1 }),
    figure('  ms', marked, 0),
  );
  const nothing = await costOf(bench, config);
  rows.push(
    figure(
      `sync of ${REPOSITORIES} unchanged repositories, processor s, git and its remotes included`,
      nothing / 1000,
      2,
      {
        atMost: 3,
      },
    ),
  );
  const [one = { name: '', root: '' }] = remotes;
  addCommit(one.root, [observation(0, RECORDS + (Date.now() % 1e6))], { isNext: true });
  const changed = await costOf(bench, config, [one.name]);
  rows.push(
    figure('one changed repository, processor s, the start of the program included', changed / 1000, 2, { atMost: 2 }),
  );
  return rows;
}

/** Writes a configuration with people of different rights, and returns its path. */
export function configOf({ folder, server, urlOf }: HubBench, name: string, remotes: BareRemote[]): string {
  const every = Math.max(1, Math.floor(remotes.length / 60));
  const names = remotes.map((one) => one.name);
  const spread = (count: number) =>
    names.filter((_, i) => i % Math.floor(names.length / count || 1) === 0).slice(0, count);
  const access = [
    ...[3, 60, names.length].map((count) => ({ subject: `service:sees${count}`, repositories: spread(count) })),
    { subject: 'service:operator', all: true },
  ];
  const repositories = remotes.map((one, i) => ({ id: one.name, url: urlOf(one), teams: [`team${i % every}`] }));
  const path = join(folder, `${name}.yaml`);
  const more = { server: { requests_per_minute: 1_000_000, port: 0 }, limits: { seconds: 3600 } };
  writeFileSync(
    path,
    JSON.stringify({
      database: server.createDatabase(name),
      folder: join(folder, name),
      repositories,
      access,
      ...more,
    }),
  );
  return path;
}

/** Starts the program. */
export function startProgram(config: string, ...args: string[]): ChildProcess {
  const command = [resolve('dist/bin.cjs'), 'hub', ...args, '--config', config];
  return spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The first line that the program writes. */
export async function firstLine(program: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: program.stdout ?? process.stdin }), 'line');
  return String(line);
}

/** What a sync costs the program, git, the remotes and the database together, in milliseconds of processor time. */
async function costOf({ server, daemon }: HubBench, config: string, names: string[] = []): Promise<number> {
  const now = () => processorMs(process.pid) - ownMs() + processorMs(server.pid) + processorMs(daemon);
  // What ended before is waited for, and counts then.
  await sleep(1000);
  const before = now();
  const program = startProgram(config, 'sync', ...names);
  program.stdout?.resume();
  const [code] = await once(program, 'exit');
  if (code !== 0) throw new Error(`The sync of ${config} ended with ${code}.`);
  await sleep(1000);
  return now() - before;
}

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
