import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../src/hub/open.ts';
import { idOf } from '../../src/memory/id.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { freePort } from '../support/loopback.ts';
import { postgresForAllTests, postgresPrograms, startPostgres } from '../support/postgres.ts';

const programs = postgresPrograms();
describe.skipIf(programs === undefined)('workers (skipped where no PostgreSQL is installed)', () => {
  const server = postgresForAllTests(programs);

  it('lose and double nothing when they are killed at any moment, and share the work', async () => {
    const place = makeFolder();
    const remotes = Array.from({ length: 8 }, (_, r) => {
      const remote = makeRemote(
        place,
        `r${r}`,
        Array.from({ length: 30 }, (_, i) => ({ ...generatedObservation(i), id: idOf(`${r} ${i}`) })),
      );
      return remote;
    });
    const address = server().createDatabase();
    const world = await openWorld(place, remotes, { address });
    const program = join(place, 'worker.cjs');
    await build({
      stdin: { contents: WORKER, resolveDir: process.cwd(), loader: 'ts' },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      packages: 'external',
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': '""' },
      absWorkingDir: process.cwd(),
      logLevel: 'error',
    });
    const config = join(place, 'config.json');
    writeFileSync(config, JSON.stringify({ ...world.config, concurrency: 2 }));
    const env = { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules') };
    const start = () => fork(program, [config], { execArgv: [], stdio: 'ignore', env });
    const records = async () => (await world.hub.status()).records;
    for (const enough of [30, 90, 150]) {
      const workers = [start(), start()];
      await expect.poll(records, { interval: 5 }).toBeGreaterThanOrEqual(enough);
      for (const worker of workers) await killed(worker);
    }
    const last = start();
    await expect.poll(records).toBe(240);
    await killed(last);
    await world.sync();
    const counts = await world.database.query('SELECT count(*)::int AS n FROM record GROUP BY repository');
    expect(counts).toEqual(remotes.map(() => ({ n: 30 })));
    const doubled = await world.database.query(
      'SELECT key FROM posting WHERE cardinality(rows) <> (SELECT count(DISTINCT row) FROM unnest(rows) row)',
    );
    expect(doubled).toEqual([]);
  });

  it('wait while the database does not answer, and go on when it does', async () => {
    const place = makeFolder();
    const remote = makeRemote(place, 'one', [generatedObservation(1)]);
    const gate = openGate(place, server().createDatabase());
    await gate.open();
    const world = await openWorld(place, [remote], { address: gate.address, more: 'poll_seconds: 1' });
    const outages: string[] = [];
    const ending = new AbortController();
    const working = world.hub.work(ending.signal, { onOutage: (problem) => outages.push(problem) });
    const records = async () => (await world.hub.status()).records;
    await expect.poll(records).toBe(1);
    gate.shut();
    remote.commit([generatedObservation(2)]);
    await expect.poll(() => outages).toEqual([expect.stringMatching(/^The database does not answer: \S/)]);
    await expect(records()).rejects.toMatchObject({ code: 'busy' });
    await expect(world.database.claim(99)).rejects.toMatchObject({ code: 'busy' });
    await gate.open();
    expect(await world.database.claim(99)).toBeDefined();
    await expect.poll(() => records().catch(() => 0)).toBe(2);
    ending.abort();
    await working;
  });

  it('hold nothing for long when their machine is gone: the server asks whether they are there', async () => {
    const port = await freePort();
    vi.stubEnv('PGPORT', `${port}`); // The server, its tools and the driver take it.
    onTestFinished(() => void vi.unstubAllEnvs());
    const listening = startPostgres(programs ?? '', ['-c', 'listen_addresses=127.0.0.1']);
    onTestFinished(() => listening.stop());
    const name = /\/(\w+)\?/.exec(listening.createDatabase())?.[1];
    const database = await openDatabase({ database: `postgres://postgres@127.0.0.1:${port}/${name}`, folder: '' });
    for (const query of [database.query, database.ask]) {
      const shown = async (what: string) =>
        Object.values((await query<object>(`SHOW tcp_keepalives_${what}`))[0] ?? {});
      expect([await shown('idle'), await shown('interval'), await shown('count')]).toEqual([['30'], ['10'], ['3']]);
    }
    await database.close();
  });
});

/** A way to a server's database that can be shut: what is connected breaks, and nobody gets through. */
function openGate(folder: string, address: string) {
  const behind = join(new URL(address.replace('@/', '@x/')).searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const place = join(folder, '.s.PGSQL.5432');
  const through = new Set<Socket>();
  let gate: Server | undefined;
  const shut = () => {
    gate?.close();
    for (const one of through) one.destroy();
    through.clear();
  };
  onTestFinished(shut);
  return {
    shut,
    address: address.replace(/host=.*/, `host=${encodeURIComponent(folder)}`),
    async open() {
      gate = createServer((from) => {
        const to = connect(behind);
        for (const [one, other] of [
          [from, to],
          [to, from],
        ] as const) {
          through.add(one);
          one.on('error', () => other.destroy()).pipe(other);
        }
      });
      await new Promise<void>((done) => gate?.listen(place, done));
    },
  };
}

const WORKER = `
import { readFileSync } from 'node:fs';
import { openHub } from './src/hub/open.ts';
const config = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
void openHub({ config, env: process.env }).then((hub) => hub.work(new AbortController().signal));
`;

async function killed(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
