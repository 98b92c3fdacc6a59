import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readerFor } from '../../src/hub/database/database.ts';
import type { HubFilter, Viewer } from '../../src/hub/port.ts';
import { columnsOf } from '../../src/hub/search/fetch.ts';
import { literalOf } from '../../src/hub/vectors/vectors.ts';
import { idOf } from '../../src/memory/id.ts';
import { startEmbeddingsApi, vectorsBy } from '../support/embeddings-api.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { NO_PGVECTOR, pgvectorPrograms } from '../support/pgvector.ts';
import { startPostgres } from '../support/postgres.ts';
import { forAllTests } from '../support/set-up.ts';
import { runs } from '../support/trials.ts';

// Every repository has words, files, concepts, types and authors of its own, and shares others with all.
const NAMES = ['anchovy', 'barracuda', 'cuttlefish', 'dogfish', 'eelpout'];
const RECORDS = 12;

/** A model for which a name is a meaning. */
function vectorOf(text: string): number[] {
  return [...NAMES.map((name) => text.toLowerCase().split(name).length - 1), 0.5];
}

const subset = fc.subarray(NAMES);
const anyWord = fc.oneof(
  fc.constantFrom(...NAMES),
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

const programs = pgvectorPrograms();

describe.each(['words on PGlite', 'words and vectors on PostgreSQL'])('readers by %s', (engine) => {
  const hasVectors = engine !== 'words on PGlite';
  if (hasVectors && programs === undefined) {
    it.skip(NO_PGVECTOR, () => {});
    return;
  }
  const indexed = forAllTests(async (atEnd) => {
    const server = hasVectors && programs !== undefined ? startPostgres(programs) : undefined;
    atEnd(() => server?.stop());
    const folder = makeFolder(atEnd);
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
    const api = await startEmbeddingsApi(vectorsBy(vectorOf), atEnd);
    const more = hasVectors ? `embed: {provider: openai, base_url: "${api.base}", model: names}` : '';
    const world = await openWorld(folder, remotes, { address: server?.createDatabase(), more, atEnd });
    await world.sync();
    if (hasVectors) expect(await world.hub.vectors()).toMatchObject({ records: NAMES.length * RECORDS, missing: 0 });
    return world;
  });

  it('gives nobody a row, count, facet, suggestion, neighbour or name of a repository without the right to it', async () => {
    const world = indexed();
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
        const [answer, feed, facets, names] = await Promise.all([
          hub.search(viewer, { text, filter, limit: 100 }),
          hub.feed(viewer, filter, { offset: 0, limit: 100 }),
          hub.facets(viewer, filter),
          hub.repositories(viewer),
        ]);
        const said = JSON.stringify([answer.hits, feed.items, facets, names]);
        for (const name of foreign) expect(said).not.toContain(name);
        expect(names.map(({ name }) => name)).toEqual(allowed);
        // No number counts what others have.
        const sums = (facet: { count: number }[]) => facet.reduce((sum, { count }) => sum + count, 0);
        expect(sums(facets.repository)).toBe(feed.total);
        expect(feed.total).toBe(feed.items.length);
        expect(answer.total).toBeLessThanOrEqual(allowed.length * RECORDS);
        // What is forbidden answers exactly as what does not exist.
        const [secret = 'none'] = foreign;
        expect(await hub.records(viewer, secret, [idOf(secret, '3')])).toEqual(
          await hub.records(viewer, 'none', ['x']),
        );
        expect(await hub.mentions(viewer, secret, idOf(secret, '3'))).toEqual({ marks: [], citing: [] });
        if (!hasVectors) return;
        // The neighbours themselves, before anything else looks at them.
        const read = readerFor(world.database, viewer, repositories);
        const vector = literalOf(Float32Array.from(vectorOf(`${secret} ${text}`)));
        const near = await read<{ repository: number }>('nearest', { vector, limit: 100 });
        expect(near.length).toBe(allowed.length * RECORDS);
        const places = [...numbers.values()].flatMap((number) =>
          Array.from({ length: RECORDS }, (_, i) => ({ repository: number, row: i + 1 })),
        );
        const compared = await read<{ repository: number }>('compared', { vector, ...columnsOf(places) });
        const readable = allowed.map((name) => numbers.get(name));
        for (const { repository } of [...near, ...compared]) expect(readable).toContain(repository);
        expect(compared.length).toBe(near.length);
      }),
      runs(300),
    );
    expect(asked).toBeGreaterThan(20);
  });

  it('ranks by the words of readable repositories alone', async () => {
    const { hub, database, viewer } = indexed();
    const one = await viewer('one', ['anchovy']);
    const scores = async () =>
      (await hub.search(one, { text: 'token cache anchovy', limit: 5 })).hits.map(({ id, score }) => [id, score]);
    const before = await scores();
    const others = one.repositories.map(String);
    // As if the others were not there.
    await database.query('DELETE FROM posting WHERE repository <> ALL ($1::integer[])', [others]);
    expect(before.length).toBeGreaterThan(0);
    expect(await scores()).toEqual(before);
  });
});
