import { expect, it } from 'vitest';
import { answerPage } from '../../src/hub/server/pages.ts';
import { idOf } from '../../src/memory/id.ts';
import type { FeedPage } from '../../src/surfaces/viewer/protocol.ts';
import type { RecordPage } from '../../src/surfaces/viewer/record-protocol.ts';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { forAllTests } from '../support/set-up.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const id = idOf('gate');
const session = 's-1234abcd';
const at = (day: number) => ({ by: 'claude-code/2.1.0', at: `2026-11-0${day}T08:00:00.000Z` });
const GATE = observationOf({ id, title: 'The gate opens at six', session, generated: at(1) });
const RECORDS = [
  GATE,
  observationOf({ id: idOf('beside'), title: 'The hinge squeaks', session, generated: at(2) }),
  observationOf({ id: idOf('citing'), title: 'Oil', narrative: `As ${id} says.`, generated: at(3) }),
  observationOf({ id: idOf('other'), title: 'A gate of another kind', generated: at(4) }),
  markOf({ id: idOf('pin'), type: 'pin', targets: [id], reason: 'Everybody asks.' }),
  markOf({ id: idOf('verify'), type: 'verify', targets: [id] }),
  markOf({ id: idOf('undo'), type: 'undo', targets: [idOf('verify')] }),
];

const reader = forAllTests(async (atEnd) => {
  const folder = makeFolder(atEnd);
  const own = makeRemote(folder, 'own', RECORDS);
  const foreign = makeRemote(folder, 'foreign', [
    observationOf({ id: idOf('foreign'), title: 'Secret', narrative: `Like ${id}.`, session }),
  ]);
  const world = await openWorld(folder, [own, foreign], { atEnd });
  await world.sync();
  return { hub: world.hub, ada: await world.viewer('ada', ['own']) };
});

async function ask<T>(path: string, query: Record<string, string>): Promise<T> {
  const { hub, ada } = reader();
  return (await answerPage(hub, ada, path, new URLSearchParams(query), new Date())) as T;
}

it('shows the marks on a record, its session and who names it, of its repository alone', async () => {
  const page = await ask<RecordPage>(`record/${id}`, { repository: 'own' });
  expect(page.card).toMatchObject({ id, session, pinned: true, verified: false });
  expect(page.marks.map((mark) => [mark.type, mark.reason, mark.active])).toEqual([
    ['pin', 'Everybody asks.', true],
    ['verify', expect.any(String), false],
  ]);
  expect(page.session.map((card) => card.title)).toEqual(['The hinge squeaks']);
  expect(page.cited_by.map((card) => card.title)).toEqual(['Oil']);
  expect(JSON.stringify(page)).not.toContain('Secret');
});

it('lists one session, by a prefix of its id', async () => {
  const { items, total } = await ask<FeedPage>('feed', { session: 's-12' });
  expect([total, items.map((card) => card.title)]).toEqual([2, ['The hinge squeaks', 'The gate opens at six']]);
});
