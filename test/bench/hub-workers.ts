import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/hub/open.ts';
import type { BareRemote } from './hub-organisation.ts';
import { figure } from './table.ts';

/** Repositories that workers share in one run. */
const SHARED = 100;

/** How often the database is asked whether all is synced, in milliseconds. */
const LOOK_MS = 50;

/** The first sync by one and by two workers, each the built program with mirrors of its own, as on two machines. */
export async function workers(
  folder: string,
  remotes: BareRemote[],
  createDatabase: (name: string) => string,
): Promise<string[][]> {
  const rows: string[][] = [];
  for (const concurrency of [1, 4]) {
    const seconds = async (count: number) => {
      const address = createDatabase(`workers-${concurrency}-${count}-${process.pid}`);
      return syncedBy(count, {
        folder: join(folder, 'workers'),
        address,
        concurrency,
        remotes: remotes.slice(0, SHARED),
      });
    };
    const [one, two] = [await seconds(1), await seconds(2)];
    const each = concurrency === 1 ? 'one repository at a time' : `${concurrency} repositories at a time`;
    rows.push(
      // One worker with four at a time fills two cores with its git and database children already.
      figure(
        `two workers on ${Math.min(SHARED, remotes.length)} repositories, ${each}, times as fast as one`,
        one / two,
        2,
        concurrency === 1 ? { atLeast: 1.6 } : undefined,
      ),
      figure('  one, s', one, 1),
      figure('  two, s', two, 1),
    );
  }
  return rows;
}

async function syncedBy(
  count: number,
  given: { folder: string; address: string; concurrency: number; remotes: BareRemote[] },
): Promise<number> {
  const { folder, address, concurrency, remotes } = given;
  rmSync(folder, { recursive: true, force: true });
  const database = await openDatabase({ database: address, folder });
  const programs: ChildProcess[] = [];
  const start = performance.now();
  try {
    for (let w = 0; w < count; w++) {
      const own = join(folder, String(w));
      mkdirSync(own, { recursive: true });
      const repositories = remotes.map(({ name, root }) => ({ id: name, path: root }));
      writeFileSync(join(own, 'hub.yaml'), JSON.stringify({ folder: own, concurrency, repositories }));
      const env = { ...process.env, GIT_MEM_HUB_DATABASE: address };
      const args = [resolve('dist/bin.cjs'), 'hub', 'worker', '--config', join(own, 'hub.yaml')];
      programs.push(spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }));
    }
    const sql = "SELECT count(*)::int AS synced FROM repository WHERE head <> ''";
    for (;;) {
      const [{ synced } = { synced: 0 }] = await database.query<{ synced: number }>(sql);
      if (synced === remotes.length) return (performance.now() - start) / 1000;
      if (programs.some(({ exitCode }) => exitCode !== null)) throw new Error('A worker ended.');
      await sleep(LOOK_MS);
    }
  } finally {
    for (const program of programs) program.kill('SIGKILL');
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
