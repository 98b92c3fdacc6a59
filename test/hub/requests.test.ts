import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseHubConfig } from '../../src/hub/config.ts';
import { requestsOf } from '../../src/hub/ingest/requests.ts';
import { encode } from '../../src/memory/codec.ts';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import { type HubWorld, makeFolder, makeRemote, openWorld, type Remote } from '../support/hub-world.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const KNOWN = observationOf({ id: idOf('known'), title: 'The lighthouse blinks twice' });
const NEW = observationOf({ id: idOf('new'), title: 'The lighthouse needs paint' });

let folder: string;
let remote: Remote;
let world: HubWorld;

/** A request with these records, as a code host keeps it: no branch, a reference. */
function open(number: number, records: Parameters<Remote['commit']>[0], place = 'pull', extra = {}): void {
  remote.git('checkout', '-q', '--detach', 'main');
  remote.commit(records, extra);
  remote.git('update-ref', `refs/${place}/${number}/head`, 'HEAD');
  remote.git('checkout', '-q', 'main');
}

const close = (number: number, place = 'pull') => remote.git('update-ref', '-d', `refs/${place}/${number}/head`);

async function search(text: string, filter = {}) {
  const ada = await world.viewer('ada', ['light']);
  const { hits } = await world.hub.search(ada, { text, limit: 10, filter });
  return hits.map(({ id, trust, request }) => [id, trust, request]);
}

beforeAll(async () => {
  folder = makeFolder();
  remote = makeRemote(folder, 'light');
  remote.commit([KNOWN]);
  const more = 'pull_requests: true\nlimits: {requests: 3, request_records: 5}';
  world = await openWorld(folder, [remote], { more });
});

afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

it('are found marked as unreviewed, and are reviewed once they are merged', async () => {
  open(7, [NEW]);
  expect((await world.sync()).problems).toEqual([]);
  expect(await search('lighthouse')).toEqual([
    [KNOWN.id, 'reviewed', null],
    [NEW.id, 'unreviewed', 7],
  ]);
  expect(await search('lighthouse', { trust: 'reviewed' })).toEqual([[KNOWN.id, 'reviewed', null]]);
  const ada = await world.viewer('ada', ['light']);
  expect((await world.hub.facets(ada, {})).trust).toContainEqual({ name: 'unreviewed', count: 1 });
  const [whole] = await world.hub.records(ada, 'light', [NEW.id]);
  expect(whole).toMatchObject({ trust: 'unreviewed', head: remote.git('rev-parse', 'refs/pull/7/head').trim() });
  expect((await world.sync()).changed).toEqual([]);

  remote.git('merge', '-q', 'refs/pull/7/head');
  close(7);
  await world.sync();
  expect(await search('paint')).toEqual([[NEW.id, 'reviewed', null]]);
});

it('vanish when the request is closed', async () => {
  open(8, [observationOf({ id: idOf('closed'), title: 'Foghorns are loud' })], 'merge-requests');
  await world.sync();
  expect(await search('foghorns')).toEqual([[idOf('closed'), 'unreviewed', 8]]);
  close(8, 'merge-requests');
  await world.sync();
  expect(await search('foghorns')).toEqual([]);
  expect(await world.database.query("SELECT * FROM posting WHERE key LIKE 'foghorn%'")).toEqual([]);
});

it('change nothing about what is on the default branch', async () => {
  const retire = markOf({ id: idOf('retire'), type: 'retire', targets: [KNOWN.id] });
  const replacing = observationOf({ id: idOf('replacing'), title: 'The lighthouse is gone', supersedes: [KNOWN.id] });
  const edited = { ...KNOWN, title: 'The lighthouse was sold' };
  open(9, [retire, replacing], 'pull', { [`.memory/${storePath(edited)}`]: encode(edited) });
  await world.sync();
  const ada = await world.viewer('ada', ['light']);
  const [known] = await world.hub.records(ada, 'light', [KNOWN.id]);
  expect(known).toMatchObject({ title: KNOWN.title, trust: 'reviewed', state: { retired: false, superseded_by: [] } });
  expect(await search('sold')).toEqual([]);
  expect((await search('lighthouse gone')).slice(0, 2).map(([id]) => id)).toContain(idOf('replacing'));
  close(9);
});

it('are bounded: the newest requests, and none with too many records', async () => {
  const many = Array.from({ length: 6 }, (_, i) => observationOf({ id: idOf('many', String(i)), title: `Gull ${i}` }));
  for (const number of [10, 11, 12]) {
    open(number, [observationOf({ id: idOf('gull', String(number)), title: `Gull of ${number}` })]);
  }
  open(13, many);
  await world.sync();
  expect((await search('gull')).map(([, , request]) => request).sort()).toEqual([11, 12]);
});

it('are purged where they are switched off again', async () => {
  await world.close();
  world = await openWorld(folder, [remote]);
  await world.sync();
  expect(await search('gull')).toEqual([]);
});

it('need somebody who knows which are open', () => {
  const more = 'repositories: [{id: a, url: "https://github.com/a/b.git", pull_requests: true}]';
  const config = parseHubConfig(more, process.env, { path: '/hub.yaml' });
  expect(() => requestsOf(config, [])).toThrow('pull_requests: nothing says which of a are open.');
});
