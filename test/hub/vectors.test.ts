import { describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import {
  type EmbeddingsApi,
  embeddingError,
  startEmbeddingsApi,
  toyVector,
  vectorsBy,
} from '../support/embeddings-api.ts';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { NO_PGVECTOR, pgvectorPrograms } from '../support/pgvector.ts';
import { startPostgres } from '../support/postgres.ts';
import { forAllTests } from '../support/set-up.ts';
import { observationOf } from '../support/written-records.ts';

const programs = pgvectorPrograms();

/** Its words are not in any question; its meaning is. */
const SIGN_IN = observationOf({ id: idOf('sign-in'), title: 'Sign-in waits for the authentication' });
const SECRET = observationOf({ id: idOf('secret'), title: 'Authentication of payroll' });
const others = (name: string) => {
  return Array.from({ length: 5 }, (_, i) =>
    observationOf({ id: idOf(name, String(i)), title: `The gadget ${name} ${i}` }),
  );
};

const embed = (api: EmbeddingsApi, model = 'toy') =>
  `embed: {provider: openai, base_url: "${api.base}", model: ${model}}`;

describe.skipIf(programs === undefined)(
  `vectors of a model (${programs === undefined ? NO_PGVECTOR : 'pgvector'})`,
  () => {
    const indexed = forAllTests(async (atEnd) => {
      const server = startPostgres(programs ?? '');
      atEnd(server.stop);
      const folder = makeFolder(atEnd);
      const api = await startEmbeddingsApi(undefined, atEnd);
      const remotes = Object.entries({
        api: [SIGN_IN, ...others('api')],
        fork: [SIGN_IN],
        secret: [SECRET, ...others('secret')],
      }).map(([name, records]) => {
        const remote = makeRemote(folder, name, records);
        return remote;
      });
      const address = server.createDatabase();
      const more = `concurrency: 1\n${embed(api)}`;
      const world = await openWorld(folder, remotes, { address, more, atEnd });
      await world.sync();
      return { api, remotes, address, world };
    });
    const titles = async (text: string, repositories: string[], { viewer: viewerOf, hub } = indexed().world) => {
      const viewer = await viewerOf(`reads ${repositories}`, repositories);
      const { hits, note } = await hub.search(viewer, { text, limit: 3 });
      return { titles: hits.map(({ title }) => title), note };
    };

    it('are asked for once a blob, whichever repositories have it', async () => {
      const { api, world } = indexed();
      expect(api.texts().filter((text) => text.includes('Sign-in'))).toHaveLength(1);
      expect(await world.hub.vectors()).toEqual({ model: 'openai/toy', records: 13, missing: 0 });
      const sent = api.texts().length;
      await world.sync();
      expect(api.texts().length).toBe(sent);
    });

    it('find records that share no word with the question', async () => {
      expect((await titles('login', ['api'])).titles[0]).toBe(SIGN_IN.title);
    });

    it('find nothing of a repository without the right to it', async () => {
      expect((await titles('login', ['api', 'secret'])).titles).toContain(SECRET.title);
      expect((await titles('login', ['api'])).titles).not.toContain(SECRET.title);
    });

    it('leave a question to its words while the model fails, and say so', async () => {
      const { api } = indexed();
      api.answer = embeddingError(500, 'out of order');
      expect(await titles('gadget 3', ['api'])).toEqual({
        titles: expect.arrayContaining(['The gadget api 3']),
        note: expect.stringMatching(/^openai\/toy did not answer \(.*500.*\): found by words\.$/),
      });
      api.answer = vectorsBy(toyVector);
    });

    it('go with their records', async () => {
      const { world, remotes } = indexed();
      const [, , secret] = remotes;
      secret?.git('rm', '-q', '-r', '.memory');
      secret?.git('commit', '-qm', 'gone');
      await world.sync();
      expect(await world.database.query('SELECT DISTINCT repository FROM embedding')).toHaveLength(2);
    });

    it('of another model replace them', async () => {
      const { api, remotes, address } = indexed();
      const other = await openWorld(makeFolder(), remotes, { address, more: embed(api, 'other') });
      expect(await other.hub.vectors()).toMatchObject({ model: 'openai/other', missing: 7 });
      // Until then questions are answered by words.
      expect((await titles('login', ['api'], other)).titles).toEqual([]);
      await other.sync();
      expect(await other.hub.vectors()).toEqual({ model: 'openai/other', records: 7, missing: 0 });
      expect((await titles('login', ['api'], other)).titles[0]).toBe(SIGN_IN.title);
    });
  },
);

it('of a model are left out on PGlite, and the doctor hears why', async () => {
  const place = makeFolder();
  const api = await startEmbeddingsApi();
  const remote = makeRemote(place, 'api', [SIGN_IN]);
  const world = await openWorld(place, [remote], { more: embed(api) });
  expect(await world.sync()).toEqual({ changed: ['api'], problems: [] });
  expect(await world.hub.vectors()).toMatchObject({
    problem: 'Questions are answered by words alone: PGlite has no pgvector.',
    hint: expect.any(String),
  });
  const viewer = await world.viewer('ada', ['api']);
  expect((await world.hub.search(viewer, { text: 'authentication', limit: 3 })).hits).toHaveLength(1);
  expect(api.calls).toEqual([]);
});
