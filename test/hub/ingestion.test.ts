import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GitMemError } from '../../src/errors.ts';
import type { Database, Query } from '../../src/hub/database/database.ts';
import type { SyncedRepository } from '../../src/hub/ingest/ingestion.ts';
import { openIngestion } from '../../src/hub/ingest/ingestion.ts';
import { openVectors } from '../../src/hub/vectors/vectors.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';

const it = test.extend('place', () => makeFolder());

it('keeps the last state of a repository that is gone, says why, and forgets one that is removed', async () => {
  const place = makeFolder();
  const stays = makeRemote(place, 'stays');
  const goes = makeRemote(place, 'goes');
  for (const remote of [stays, goes]) remote.commit([generatedObservation(1)]);
  const world = await openWorld(place, [stays, goes]);
  await world.sync();
  rmSync(goes.root, { recursive: true });
  expect((await world.sync()).problems).toEqual([expect.stringContaining('goes: git ls-remote failed')]);
  const { repositories } = await world.hub.status();
  expect(repositories[0]).toMatchObject({ name: 'goes', records: 1, failures: 1 });
  await world.close();
  const without = await openWorld(place, [stays]);
  expect((await without.hub.status()).repositories.map(({ name }) => name)).toEqual(['stays']);
  expect(await without.database.query('SELECT DISTINCT repository FROM posting')).toHaveLength(1);
});

it('looks once more where a push was reported while it synced', async ({ place }) => {
  const remote = makeRemote(place, 'one', [generatedObservation(1)]);
  const world = await openWorld(place, [remote]);
  const { config, database, hub } = world;
  let isPushed = false;
  const query: Query = async (sql, values) => {
    if (!isPushed && sql.startsWith('SELECT oid FROM record')) {
      isPushed = true;
      remote.commit([generatedObservation(2)]);
      await hub.requestSync('one');
    }
    return database.query(sql, values);
  };
  const vectors = openVectors(database, { config, env: process.env });
  await openIngestion({ ...database, query }, { config, env: process.env, vectors }).syncDue();
  expect((await hub.status()).records).toBe(2);
});

/** A hub over one remote with one record, and an ingestion whose database does `fault` in the middle of the first sync. */
async function interrupted(fault: (database: Database) => Promise<void>) {
  const place = makeFolder();
  const remote = makeRemote(place, 'one', [generatedObservation(1)]);
  const world = await openWorld(place, [remote]);
  const { config, database } = world;
  let isWell = false;
  const transaction: Database['transaction'] = async (work) => {
    if (!isWell) {
      isWell = true;
      await fault(database);
    }
    return database.transaction(work);
  };
  const vectors = openVectors(database, { config, env: process.env });
  return { world, ingestion: openIngestion({ ...database, transaction }, { config, env: process.env, vectors }) };
}

it('tries again after an outage in the middle of a sync, and does not call it a problem of the repository', async () => {
  const { world, ingestion } = await interrupted(async () => {
    throw new GitMemError('busy', 'The database does not answer: it went away.');
  });
  const outages: string[] = [];
  const synced: SyncedRepository[] = [];
  const ending = new AbortController();
  const working = ingestion.work(ending.signal, {
    onOutage: (problem) => outages.push(problem),
    onSynced: (one) => synced.push(one),
  });
  await expect.poll(() => synced).toEqual([{ name: 'one', changed: true }]);
  expect(outages).toEqual(['The database does not answer: it went away.']);
  expect((await world.hub.status()).repositories).toMatchObject([{ records: 1, failures: 0 }]);
  ending.abort();
  await working;
});

it('looks again where another worker was faster, and does not call it a problem of the repository', async () => {
  const { world, ingestion } = await interrupted(async ({ query }) => {
    await query('UPDATE repository SET version = version + 1');
  });
  const synced: SyncedRepository[] = [];
  await ingestion.syncDue({ onSynced: (one) => synced.push(one) });
  expect(synced).toEqual([
    { name: 'one', changed: false },
    { name: 'one', changed: true },
  ]);
  expect((await world.hub.status()).repositories).toMatchObject([{ records: 1, failures: 0 }]);
});

it('leaves a repository out that is larger than the limits, and what does not parse', async ({ place }) => {
  const large = makeRemote(
    place,
    'large',
    Array.from({ length: 5 }, (_, i) => generatedObservation(i)),
  );
  const broken = makeRemote(place, 'broken');
  broken.commit([generatedObservation(1)], {
    '.memory/observations/2026-01/20260101T000000Z-x-k3v9x2qd7m.md': '---js\n---\n',
  });
  const world = await openWorld(place, [large, broken], { more: 'limits: {records: 4}' });
  const { problems } = await world.sync();
  expect(problems).toEqual(['large: The repository is not indexed: it has 5 records, and 4 are the limit.']);
  expect((await world.hub.status()).records).toBe(1);
});

it('leaves out a tree of a hundred million files and a record of 128 MB, each of a few kilobytes in git', async () => {
  const place = makeFolder();
  const bomb = makeRemote(place, 'bomb', [generatedObservation(1)]);
  const treeOf = (kind: string, id: string) => {
    const mode = kind === 'blob' ? '100644' : '040000';
    const entries = Array.from({ length: 10 }, (_, i) => `${mode} ${kind} ${id}\tx${i}`);
    const input = `${entries.join('\n')}\n`;
    return execFileSync('git', ['mktree'], { cwd: bomb.root, input, encoding: 'utf8' }).trim();
  };
  let id = treeOf('blob', bomb.git('hash-object', '-w', '/dev/null').trim());
  for (let level = 1; level < 8; level++) id = treeOf('tree', id);
  bomb.git('update-ref', 'refs/heads/main', bomb.git('commit-tree', '-m', 'bomb', id).trim());
  const giant = makeRemote(place, 'giant');
  const path = join(giant.root, '.memory/observations/2026-01/20260101T000000Z-x-k3v9x2qd7m.md');
  giant.commit([generatedObservation(1)]);
  mkdirSync(dirname(path), { recursive: true });
  closeSync(openSync(path, 'w'));
  truncateSync(path, 2 ** 27);
  giant.git('-c', 'core.bigFileThreshold=1m', 'add', '-A');
  giant.git('commit', '-qm', 'giant');
  const world = await openWorld(place, [bomb, giant]);
  const { problems } = await world.sync();
  expect(new Set(problems)).toEqual(new Set(['bomb: git ls-tree failed: its output was too large']));
  expect((await world.hub.status()).records).toBe(1);
  expect(readdirSync(join(place, 'hub', 'mirrors'))).toEqual([]);
});

/** A git server that takes connections and says nothing. */
async function silentRemote() {
  const connections = new Set<Socket>();
  const server = createServer((socket) => void connections.add(socket.on('error', () => {})));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const one of connections) one.destroy();
    server.close();
  });
  return { url: `git://127.0.0.1:${(server.address() as AddressInfo).port}/silent`, connections };
}

it('gives a repository up whose sync takes too long, ends at once when it is asked to, and loses nothing by that', async () => {
  const place = makeFolder();
  const silent = await silentRemote();
  const remote = makeRemote(place, 'one', [generatedObservation(1)]);
  const world = await openWorld(place, [remote], { more: 'concurrency: 1' });
  const { config, database } = world;
  const listed = { id: 'silent', url: silent.url, teams: [] };
  const vectors = openVectors(database, { config, env: process.env });
  const open = (seconds: number) =>
    openIngestion(database, {
      config: { ...config, repositories: [listed, ...config.repositories], limits: { ...config.limits, seconds } },
      env: process.env,
      vectors,
    });
  const synced: SyncedRepository[] = [];
  const hasty = open(2);
  await hasty.takeOver();
  await hasty.syncDue({ all: true, onSynced: (one) => synced.push(one) });
  expect(synced.map(({ name }) => name).sort()).toEqual(['one', 'silent']);
  expect(synced).toContainEqual({
    name: 'silent',
    changed: false,
    problem: 'The repository is not indexed: a sync of it takes more than 2 s.',
  });
  await database.query("UPDATE repository SET wanted_at = now(), failures = 0 WHERE name = 'silent'");
  const before = silent.connections.size;
  const ending = new AbortController();
  const working = open(3600).work(ending.signal);
  await expect.poll(() => silent.connections.size, { timeout: 60_000 }).toBeGreaterThan(before);
  ending.abort();
  await working;
  const left = await database.query("SELECT failures FROM repository WHERE name = 'silent' AND wanted_at <= now()");
  expect(left).toEqual([{ failures: 0 }]);
});

it('syncs the named repository, and no other that is due', async ({ place }) => {
  const remotes = ['one', 'two'].map((name) => makeRemote(place, name));
  for (const remote of remotes) remote.commit([generatedObservation(1)]);
  const world = await openWorld(place, remotes);
  const synced: string[] = [];
  await world.hub.sync({ names: ['two'], onSynced: ({ name }) => synced.push(name) });
  expect(synced).toEqual(['two']);
});

it('takes records whose text no database takes as it is', async ({ place }) => {
  const remote = makeRemote(place, 'one');
  const text =
    '---\nid: "k3v9x2qd7m"\nkind: observation\ntype: change\ntitle: "Half \\uD800 and \\0 of it"\n' +
    'generated: {by: "cli", at: "2026-11-20T20:05:01Z"}\n---\n\nA path such as \\u0000 in code.\n';
  const path = '.memory/observations/2026-11/20261120T200501Z-half-k3v9x2qd7m.md';
  remote.commit([generatedObservation(1)], { [path]: text });
  const world = await openWorld(place, [remote]);
  expect((await world.sync()).problems).toEqual([]);
  const viewer = await world.viewer('ada', ['one']);
  const [record] = await world.hub.records(viewer, 'one', ['k3v9x2qd7m']);
  expect(record?.record).toMatchObject({ narrative: 'A path such as \\u0000 in code.' });
});
