import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HubFilter, Viewer } from '../../src/hub/port.ts';
import { idOf } from '../../src/memory/id.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { type HubWorld, makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { runs } from '../support/trials.ts';

// Every repository has words, files, concepts, types and authors of its own, and shares others with all.
const NAMES = ['anchovy', 'barracuda', 'cuttlefish', 'dogfish', 'eelpout'];
const RECORDS = 12;

let folder: string;
let world: HubWorld;

beforeAll(async () => {
  folder = makeFolder();
  const remotes = NAMES.map((name) => {
    const remote = makeRemote(folder, name);
    const records = Array.from({ length: RECORDS }, (_, i) => {
      const base = generatedObservation(i);
      return {
        ...base,
        id: idOf(name, String(i)),
        type: i === 0 ? `${name}type` : base.type,
        title: `${base.title} ${name}`,
        concepts: [...base.concepts, `${name}concept`],
        files_read: [`src/${name}.ts`],
        generated: { ...base.generated, name: `${name} author` },
      };
    });
    remote.commit(records);
    return { ...remote, teams: [`${name}team`] };
  });
  world = await openWorld(folder, remotes);
  await world.sync();
});

afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const subset = fc.subarray(NAMES);
const anyWord = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.constantFrom(...NAMES).map((name) => `${name.slice(0, 5)}*`),
  // Misspelt, so that the words of the store are suggested.
  fc.constantFrom(...NAMES).map((name) => `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`),
  fc.constantFrom(
    'token',
    'cache',
    'rejects',
    'router',
    'session',
    '"the lease is short"',
    'files:src',
    'in January 2026',
  ),
);
const anyText = fc.array(anyWord, { maxLength: 4 }).map((words) => words.join(' '));
const anyFilter: fc.Arbitrary<HubFilter> = fc.record(
  {
    repository: subset,
    team: subset.map((names) => names.map((name) => `${name}team`)),
    concept: subset.map((names) => names.map((name) => `${name}concept`)),
    author: subset.map((names) => names.map((name) => `${name} author`)),
    file: fc.constantFrom(['src'], ['src/*fish.ts'], ['src/anchovy.ts']),
    all: fc.boolean(),
  },
  { requiredKeys: [] },
);

it('gives nobody a row, count, facet, suggestion or name of a repository without the right to it', async () => {
  let asked = 0;
  const everything = await world.viewer('everything', NAMES);
  const numbers = new Map(
    (await Promise.all(NAMES.map((name) => world.viewer(`only ${name}`, [name])))).map((one, i) => [
      NAMES[i],
      one.repositories[0] ?? 0,
    ]),
  );
  await fc.assert(
    fc.asyncProperty(subset, subset, anyText, anyFilter, async (rights, claimed, text, filter) => {
      asked++;
      const { hub } = world;
      const principal = await hub.principal('test:somebody', 'Somebody');
      await hub.putAccess('test', [{ principal, repositories: rights }], new Date());
      // The list that is passed may be wrong in any way: the database knows better.
      const repositories = claimed.flatMap((name) => numbers.get(name) ?? []);
      const viewer: Viewer = { ...everything, principal, repositories };
      const allowed = claimed.filter((name) => rights.includes(name));
      const foreign = NAMES.filter((name) => !allowed.includes(name));
      const [answer, feed, facets, insight, names] = await Promise.all([
        hub.search(viewer, { text, filter, limit: 100 }),
        hub.feed(viewer, filter, { offset: 0, limit: 100 }),
        hub.facets(viewer, filter),
        hub.insight(viewer),
        hub.repositories(viewer),
      ]);
      const said = JSON.stringify([answer.hits, feed.items, facets, insight, names]);
      for (const name of foreign) expect(said).not.toContain(name);
      expect(names.map(({ name }) => name)).toEqual(allowed);
      // No number counts what others have.
      const sums = (facet: { count: number }[]) => facet.reduce((sum, { count }) => sum + count, 0);
      expect(sums(facets.repository)).toBe(feed.total);
      expect(feed.total).toBe(feed.items.length);
      expect(answer.total).toBeLessThanOrEqual(allowed.length * RECORDS);
      // What is forbidden answers exactly as what does not exist.
      const [secret = 'none'] = foreign;
      expect(await hub.records(viewer, secret, [idOf(secret, '3')])).toEqual(await hub.records(viewer, 'none', ['x']));
    }),
    runs(150),
  );
  expect(asked).toBeGreaterThan(20);
});

it('ranks by the words of readable repositories alone', async () => {
  const { hub } = world;
  const one = await world.viewer('one', ['anchovy']);
  const scores = async () =>
    (await hub.search(one, { text: 'token cache anchovy', limit: 5 })).hits.map(({ id, score }) => [id, score]);
  const before = await scores();
  const others = one.repositories.map(String);
  // As if the others were not there.
  await world.database.query('DELETE FROM posting WHERE repository <> ALL ($1::integer[])', [others]);
  expect(before.length).toBeGreaterThan(0);
  expect(await scores()).toEqual(before);
});
