import { beforeAll, describe, expect, it } from 'vitest';
import { idOf } from '../../src/memory/id.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { type HubWorld, makeFolder, makeRemote, openWorld, type Remote } from '../support/hub-world.ts';
import { postgresPrograms, startPostgres } from '../support/postgres.ts';
import { afterAllTests } from '../support/set-up.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const programs = postgresPrograms();

describe.each(['pglite', 'postgres'] as const)('the hub on %s', (engine) => {
  if (engine === 'postgres' && programs === undefined) {
    it.skip('is not tested: no PostgreSQL is installed (apt-get install postgresql)', () => {});
    return;
  }
  const atEnd = afterAllTests();
  let world: HubWorld;
  let api: Remote;
  let web: Remote;

  beforeAll(async () => {
    const server = engine === 'postgres' && programs !== undefined ? startPostgres(programs) : undefined;
    atEnd(() => server?.stop());
    const folder = makeFolder(atEnd);
    api = makeRemote(
      folder,
      'api',
      Array.from({ length: 20 }, (_, i) => generatedObservation(i)),
    );
    web = makeRemote(folder, 'web', [
      observationOf({
        id: idOf('cookie'),
        title: 'Cookies need SameSite=None behind the proxy',
        type: 'decision',
        narrative: 'The zyxproxy strips them.',
      }),
      observationOf({ id: idOf('old'), title: 'The gateway speaks HTTP/1.1' }),
      observationOf({ id: idOf('new'), title: 'The gateway speaks HTTP/2', supersedes: [idOf('old')] }),
      markOf({ id: idOf('pin'), type: 'pin', targets: [idOf('cookie')] }),
    ]);
    const secret = makeRemote(folder, 'secret', [
      observationOf({ id: idOf('zyx'), title: 'The zyxproxy has a backdoor', narrative: 'Quagmire.' }),
    ]);
    world = await openWorld(folder, [{ ...api, teams: ['core'] }, { ...web, teams: ['front'] }, secret], {
      address: server?.createDatabase(),
      atEnd,
    });
  });

  it('indexes every repository once, and does nothing when nothing changed', async () => {
    expect(await world.sync()).toEqual({ changed: ['api', 'secret', 'web'], problems: [] });
    expect(await world.sync()).toEqual({ changed: [], problems: [] });
    const { repositories } = await world.hub.status();
    expect(repositories.map(({ name, records }) => [name, records])).toEqual([
      ['api', 20],
      ['secret', 1],
      ['web', 2],
    ]);
  });

  it('finds a record by its words, with the marks of its repository', async () => {
    const ada = await world.viewer('ada', ['api', 'web']);
    const { hits } = await world.hub.search(ada, { text: 'samesite proxy cookie', limit: 5 });
    expect(hits[0]).toMatchObject({
      id: idOf('cookie'),
      repository: 'web',
      trust: 'reviewed',
      state: { pinned: true },
    });
    const superseded = await world.hub.search(ada, { text: 'gateway HTTP', limit: 5 });
    expect(superseded.hits.map(({ id }) => id)).toEqual([idOf('new')]);
  });

  it('shows nothing of other repositories, in any answer', async () => {
    const { hub } = world;
    const ada = await world.viewer('ada', ['web']);
    const forged = { ...ada, repositories: (await world.viewer('all', ['api', 'web', 'secret'])).repositories };
    for (const viewer of [ada, forged]) {
      const { hits } = await hub.search(viewer, { text: 'zyxproxy', limit: 10 });
      expect(hits.map(({ id }) => id)).toEqual([idOf('cookie')]);
      expect((await hub.search(viewer, { text: 'quagmir', limit: 10 })).hits).toEqual([]);
      expect((await hub.repositories(viewer)).map(({ name }) => name)).toEqual(['web']);
      expect((await hub.feed(viewer, {}, { offset: 0, limit: 50 })).total).toBe(2);
      expect(await hub.records(viewer, 'secret', [idOf('zyx')])).toEqual([]);
      expect((await hub.facets(viewer, {})).repository).toEqual([{ name: 'web', count: 2 }]);
    }
  });

  it('refuses rights that nobody confirmed for an hour', async () => {
    const { hub } = world;
    const old = await hub.principal('test:old', 'Old');
    await hub.putAccess('test', [{ principal: old, repositories: ['web'] }], new Date(Date.now() - 3_700_000));
    await expect(hub.viewerOf(old)).rejects.toMatchObject({ code: 'refused' });
    const ada = await world.viewer('ada', ['web']);
    expect((await hub.feed({ ...ada, principal: old }, {}, { offset: 0, limit: 5 })).items).toEqual([]);
  });

  it('lets readers select from no table', async () => {
    await expect(world.database.ask('SELECT * FROM git_mem_hub.record', [])).rejects.toThrow('permission denied');
  });

  it('keeps the second wall: the role behind the function sees rows of fresh rights only', async () => {
    const ada = await world.viewer('ada', ['web']);
    const seen = await world.database.transaction(async (query) => {
      await query('SET LOCAL ROLE git_mem_hub_gate');
      await query("SELECT set_config('git_mem_hub.principal', $1, true)", [String(ada.principal)]);
      return query('SELECT DISTINCT repository FROM git_mem_hub.record');
    });
    expect(seen).toEqual(ada.repositories.map((repository) => ({ repository })));
  });

  it('follows what is added, removed and force-pushed', async () => {
    const ada = await world.viewer('ada', ['web']);
    web.commit([observationOf({ id: idOf('added'), title: 'Snorkel buffers are recycled' })]);
    expect((await world.sync()).changed).toEqual(['web']);
    const find = async () => (await world.hub.search(ada, { text: 'snorkel', limit: 5 })).hits.map(({ id }) => id);
    expect(await find()).toEqual([idOf('added')]);
    web.git('reset', '-q', '--hard', 'HEAD~1');
    expect((await world.sync()).changed).toEqual(['web']);
    expect(await find()).toEqual([]);
    expect(await world.database.query("SELECT * FROM posting WHERE key = 'snorkel'")).toEqual([]);
  });

  it('judges freshness at the indexed commit', async () => {
    const ada = await world.viewer('ada', ['api']);
    const freshness = async () => (await world.hub.facets(ada, {})).freshness.map(({ name }) => name).sort();
    // No history is known there, so a missing file is not called gone.
    expect(await freshness()).toEqual(['unknown']);
    api.commit([], { 'src/token/index.ts': 'export {};\n' });
    await world.sync();
    expect(await freshness()).toEqual(['fresh', 'moved']);
  });

  it('gives the same answers when the database was dropped', async () => {
    const ada = await world.viewer('ada', ['api', 'web']);
    const ask = async () => {
      const { hits } = await world.hub.search(ada, { text: 'the token cache rejects', limit: 10 });
      return hits.map(({ repository, id, score }) => [repository, id, score.toFixed(6)]);
    };
    const before = await ask();
    expect(before.length).toBeGreaterThan(5);
    await world.database.query('DELETE FROM record', []);
    await world.database.query('DELETE FROM posting', []);
    await world.database.query("UPDATE repository SET head = '', memory = ''", []);
    expect(await ask()).toEqual([]);
    await world.sync();
    expect(await ask()).toEqual(before);
  });
});
