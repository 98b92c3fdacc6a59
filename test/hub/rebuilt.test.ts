import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import { idOf } from '../../src/memory/id.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import {
  databaseForAllTests,
  type HubWorld,
  makeFolder,
  makeRemote,
  openWorld,
  type Remote,
} from '../support/hub-world.ts';
import { runs } from '../support/trials.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const database = databaseForAllTests();

const NAMES = ['east', 'west'];
const SENTENCES = ['The gate opens at six every morning.', 'Batches of 500 rows are sent by the importer.'];

/** Few records that share sentences, ids and replacements, so that most steps meet what steps before did. */
const RECORDS: MemoryRecord[] = Array.from({ length: 6 }, (_, n) =>
  observationOf({
    id: idOf('record', String(n)),
    title: `Note ${n} about the gate`,
    narrative: n < 4 ? `${SENTENCES[n % 2]} Noted ${n} times.` : `Only note ${n} says this sentence here.`,
    files_modified: ['src/gate.ts'],
    supersedes: n === 5 ? [idOf('record', '0')] : [],
  }),
);
const MARKS: MemoryRecord[] = RECORDS.flatMap(({ id }, n) => [
  markOf({ id: idOf('redact', String(n)), type: 'redact', targets: [id] }),
  markOf({ id: idOf('undo', String(n)), type: 'undo', targets: [idOf('redact', String(n))] }),
  markOf({ id: idOf('retire', String(n)), type: 'retire', targets: [id] }),
]);
const ALL = [...RECORDS, ...MARKS];

const step = fc.record({
  remote: fc.constantFrom(...NAMES),
  record: fc.nat({ max: ALL.length - 1 }),
  /** Whether a sync follows. */
  isSynced: fc.boolean(),
});

it('answers after any sequence of syncs as a fresh database does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
      const folder = makeFolder();
      const remotes = new Map(NAMES.map((name) => [name, makeRemote(folder, name)]));
      for (const remote of remotes.values()) remote.commit([], { 'src/gate.ts': 'export {};\n' });
      const world = await openWorld(folder, [...remotes.values()], { database: database() });
      for (const { remote, record, isSynced } of steps) {
        toggle(remotes.get(remote), ALL[record]);
        if (isSynced) expect((await world.sync()).problems).toEqual([]);
      }
      await world.sync();
      const grown = await answers(world);
      // Nothing is left but git.
      await database().query('DELETE FROM repository');
      await database().query('DELETE FROM posting');
      rmSync(join(folder, 'hub'), { recursive: true, force: true });
      await world.ingestion.takeOver();
      const fresh = await openWorld(folder, [...remotes.values()], { database: database() });
      await fresh.sync();
      expect(grown).toEqual(await answers(fresh));
    }),
    runs(10),
  );
});

/** Adds a record, or removes it where it is. */
function toggle(remote: Remote | undefined, record: MemoryRecord | undefined): void {
  if (remote === undefined || record === undefined) return;
  const path = join('.memory', storePath(record));
  if (existsSync(join(remote.root, path))) remote.commit([], { [path]: null });
  else remote.commit([record]);
}

async function answers({ hub, viewer }: HubWorld) {
  const ada = await viewer('ada', NAMES);
  const { total, items } = await hub.feed(ada, { all: true, kind: ['observation', 'mark'] }, { offset: 0, limit: 100 });
  const found = await hub.search(ada, { text: 'gate six rows note', limit: 20 });
  const { repositories } = await hub.status();
  return {
    total,
    items,
    facets: await hub.facets(ada, {}),
    hits: found.hits.map(({ repository, id, score, also }) => ({ repository, id, score, also })),
    status: repositories.map(({ name, records, withheld, withheldBy }) => ({ name, records, withheld, withheldBy })),
  };
}
