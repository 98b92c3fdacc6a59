import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { answerPage } from '../../src/surfaces/hub/pages.ts';
import type { RecordPage } from '../../src/surfaces/viewer/protocol-record.ts';
import { type HubWorld, makeFolder, makeRemote, openWorld, type Remote } from '../support/hub-world.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const REDIS = observationOf({ id: idOf('redis'), title: 'Sessions live in Redis', files_modified: ['session.ts'] });
const POSTGRES = observationOf({
  id: idOf('postgres'),
  title: 'Sessions live in Postgres',
  files_modified: ['session.ts'],
});
const ELSEWHERE = observationOf({
  id: idOf('elsewhere'),
  title: 'Sessions live in memory',
  files_modified: ['session.ts'],
});

let folder: string;
let remote: Remote;
let world: HubWorld;

beforeAll(async () => {
  folder = makeFolder();
  remote = makeRemote(folder, 'own');
  remote.commit([REDIS]);
  const foreign = makeRemote(folder, 'foreign');
  foreign.commit([ELSEWHERE]);
  world = await openWorld(folder, [remote, foreign]);
  await world.sync();
});

afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Who disputes each record, and how many of a repository are disputed. */
async function disputes() {
  await world.sync();
  const ada = await world.viewer('ada', ['own', 'foreign']);
  const { items } = await world.hub.feed(ada, { repository: ['own'] }, { limit: 10, offset: 0 });
  const insight = await world.hub.insight(ada);
  return {
    by: Object.fromEntries(items.map(({ title, disputedBy }) => [title, disputedBy])),
    counts: Object.fromEntries(insight.map(({ repository, disputed }) => [repository, disputed])),
  };
}

it('shows at both records of a repository that they contradict each other, until one is retired or a third names both', async () => {
  expect(await disputes()).toEqual({ by: { [REDIS.title]: [] }, counts: { own: 0, foreign: 0 } });

  remote.commit([POSTGRES]);
  const both = { [REDIS.title]: [POSTGRES.id], [POSTGRES.title]: [REDIS.id] };
  expect(await disputes()).toEqual({ by: both, counts: { own: 2, foreign: 0 } });
  const ada = await world.viewer('ada', ['own']);
  const query = new URLSearchParams({ repository: 'own' });
  const page = (await answerPage(world.hub, ada, `record/${REDIS.id}`, query, new Date())) as RecordPage;
  expect(page.card).toMatchObject({ disputed: true, disputed_by: [POSTGRES.id] });

  const retired = markOf({ id: idOf('retire'), type: 'retire', targets: [REDIS.id] });
  remote.commit([retired]);
  expect(await disputes()).toEqual({ by: { [POSTGRES.title]: [] }, counts: { own: 0, foreign: 0 } });

  remote.commit([markOf({ id: idOf('undo'), type: 'undo', targets: [retired.id] })]);
  expect((await disputes()).by).toEqual(both);

  const narrative = `Both ${REDIS.id} and ${POSTGRES.id}: the cache in one, the table in the other.`;
  remote.commit([observationOf({ id: idOf('third'), title: 'Where a session is kept', narrative })]);
  expect((await disputes()).counts).toEqual({ own: 0, foreign: 0 });
});
