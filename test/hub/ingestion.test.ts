import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitMemError } from '../../src/errors.ts';
import type { Database, Query } from '../../src/hub/database/database.ts';
import { openIngestion } from '../../src/hub/ingest/ingestion.ts';
import type { SyncedRepository } from '../../src/hub/port-operation.ts';
import { openVectors } from '../../src/hub/vectors/vectors.ts';
import { idOf } from '../../src/memory/id.ts';
import { hashOf, passagesOf } from '../../src/memory/redaction.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { type HubWorld, makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { markOf, observationOf } from '../support/written-records.ts';

let folder: string;
beforeAll(() => {
  folder = makeFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SALT = 'ab'.repeat(16);
const leaked = observationOf({
  id: idOf('leak'),
  title: 'Deploys',
  narrative: 'The staging master phrase is walrus umbrella tango.',
});

describe('redaction', () => {
  let world: HubWorld;
  afterAll(() => world.close());

  it('purges the record and the same sentences in all repositories, until it is undone', async () => {
    const own = makeRemote(folder, 'own');
    own.commit([leaked, observationOf({ id: idOf('fine'), title: 'The umbrella stand is fine' })]);
    const copy = makeRemote(folder, 'copy');
    copy.commit([
      observationOf({ id: idOf('copied'), title: 'Copied', narrative: `Somebody wrote this. ${leaked.narrative}` }),
      observationOf({ id: idOf('other'), title: 'A walrus is no umbrella' }),
    ]);
    world = await openWorld(folder, [own, copy]);
    await world.sync();
    const ada = await world.viewer('ada', ['own', 'copy']);
    const ids = async () => (await world.hub.feed(ada, {}, { offset: 0, limit: 9 })).items.map(({ id }) => id).sort();
    expect(await ids()).toEqual([idOf('leak'), idOf('fine'), idOf('copied'), idOf('other')].sort());

    const hashes = passagesOf(leaked).map((passage) => hashOf(passage, SALT));
    const mark = markOf({ id: idOf('mark'), type: 'redact', targets: [leaked.id], hashed_with: SALT, hashes });
    own.commit([mark]);
    await world.sync();
    expect(await ids()).toEqual([idOf('fine'), idOf('other')].sort());
    const left = await world.database.query("SELECT 1 FROM record WHERE record::text LIKE '%walrus umbrella%'");
    expect(left).toEqual([]);
    expect(await world.database.query("SELECT key FROM posting WHERE key = 'tango'")).toEqual([]);

    // A copy that is added later is kept out, too.
    copy.commit([observationOf({ id: idOf('late'), title: 'Late', narrative: leaked.narrative })]);
    await world.sync();
    expect(await ids()).toEqual([idOf('fine'), idOf('other')].sort());

    own.commit([markOf({ id: idOf('undo'), type: 'undo', targets: [idOf('mark')] })]);
    await world.sync();
    expect(await ids()).toEqual([idOf('leak'), idOf('fine'), idOf('copied'), idOf('other'), idOf('late')].sort());
  });
});

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
  await without.close();
  rmSync(place, { recursive: true, force: true });
});

it('looks once more where a push was reported while it synced', async () => {
  const place = makeFolder();
  const remote = makeRemote(place, 'one');
  remote.commit([generatedObservation(1)]);
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
  await world.close();
  rmSync(place, { recursive: true, force: true });
});

/** A hub over one remote with one record, and an ingestion whose database does `fault` in the middle of the first sync. */
async function interrupted(fault: (database: Database) => Promise<void>) {
  const place = makeFolder();
  const remote = makeRemote(place, 'one');
  remote.commit([generatedObservation(1)]);
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
  return {
    place,
    world,
    ingestion: openIngestion({ ...database, transaction }, { config, env: process.env, vectors }),
  };
}

it('tries again after an outage in the middle of a sync, and does not call it a problem of the repository', async () => {
  const { place, world, ingestion } = await interrupted(async () => {
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
  await world.close();
  rmSync(place, { recursive: true, force: true });
});

it('looks again where another worker was faster, and does not call it a problem of the repository', async () => {
  const { place, world, ingestion } = await interrupted(async ({ query }) => {
    await query('UPDATE repository SET version = version + 1');
  });
  const synced: SyncedRepository[] = [];
  await ingestion.syncDue({ onSynced: (one) => synced.push(one) });
  expect(synced).toEqual([
    { name: 'one', changed: false },
    { name: 'one', changed: true },
  ]);
  expect((await world.hub.status()).repositories).toMatchObject([{ records: 1, failures: 0 }]);
  await world.close();
  rmSync(place, { recursive: true, force: true });
});

it('leaves a repository out that is larger than the limits, and what does not parse', async () => {
  const place = makeFolder();
  const large = makeRemote(place, 'large');
  large.commit(Array.from({ length: 5 }, (_, i) => generatedObservation(i)));
  const broken = makeRemote(place, 'broken');
  broken.commit([generatedObservation(1)], {
    '.memory/observations/2026-01/20260101T000000Z-x-k3v9x2qd7m.md': '---js\n---\n',
  });
  const world = await openWorld(place, [large, broken], { more: 'limits: {records: 4}' });
  const { problems } = await world.sync();
  expect(problems).toEqual(['large: The repository is not indexed: it has 5 records, and 4 are the limit.']);
  expect((await world.hub.status()).records).toBe(1);
  await world.close();
  rmSync(place, { recursive: true, force: true });
});
