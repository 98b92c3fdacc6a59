import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { READ_NAME } from '../../src/hub/database/read.ts';
import { idOf } from '../../src/memory/id.ts';
import { makeFolder, makeRemote, openWorld } from '../support/hub-world.ts';
import { postgresForAllTests, postgresPrograms } from '../support/postgres.ts';
import { observationOf } from '../support/written-records.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)(
  'the owner of an ordinary database (skipped where no PostgreSQL is installed)',
  () => {
    const server = postgresForAllTests(programs);

    /** A database owned by a new role, and its address. */
    function ownedBy(role: string, rights: string): string {
      const address = server().createDatabase(`of_${role}`);
      const host = decodeURIComponent(/host=([^&]*)/.exec(address)?.[1] ?? '');
      const psql = (sql: string) =>
        execFileSync(join(programs ?? '', 'psql'), ['-h', host, '-U', 'postgres', '-qc', sql], { stdio: 'pipe' });
      psql(`CREATE ROLE ${role} LOGIN ${rights}`);
      psql(`ALTER DATABASE of_${role} OWNER TO ${role}`);
      return address.replace('postgres@', `${role}@`);
    }

    it.each([
      ['plain', 'NOCREATEROLE', false],
      ['maker', 'CREATEROLE', true],
    ])('serves what each may read, as the role %s', async (role, rights, hasWall) => {
      const folder = makeFolder();
      const remotes = ['open', 'shut'].map((name) => {
        const remote = makeRemote(folder, name, [observationOf({ id: idOf(name), title: `The gate is ${name}` })]);
        return remote;
      });
      const world = await openWorld(folder, remotes, { address: ownedBy(role, rights) });
      expect((await world.sync()).problems).toEqual([]);
      const viewer = await world.viewer('ada', ['open']);
      const { hits } = await world.hub.search(viewer, { text: 'gate', limit: 5 });
      expect(hits.map(({ repository }) => repository)).toEqual(['open']);
      expect((await world.hub.status()).hasWall).toBe(hasWall);
      // Where the wall stands it holds a list that names too much.
      const { repositories } = await world.viewer('eve', ['open', 'shut']);
      const claimed = await world.hub.feed({ ...viewer, repositories }, {}, { offset: 0, limit: 9 });
      if (hasWall) expect(claimed.items.map(({ repository }) => repository)).toEqual(['open']);
    });

    it('keeps what the version before reads with, behind the same wall', async () => {
      const folder = makeFolder();
      const remote = makeRemote(folder, 'open', [observationOf({ id: idOf('gate'), title: 'The gate' })]);
      const address = ownedBy('older', 'CREATEROLE');
      const older = await openWorld(folder, [remote], { address });
      await older.sync();
      const { principal, repositories } = await older.viewer('ada', ['open']);
      await older.database.query(`ALTER FUNCTION git_mem_hub.${READ_NAME} RENAME TO read_before`);
      const newer = await openWorld(folder, [remote], { address });
      for (const name of ['read_before', READ_NAME]) {
        const sql = `SELECT git_mem_hub.${name}($1, $2, 'feed', '{}', '{}', '{}', '{}') AS answer`;
        for (const [who, rows] of [
          [principal, 2],
          [principal + 1, 1],
        ])
          expect(await newer.database.ask(sql, [who, repositories]), name).toHaveLength(rows ?? 0);
      }
    });

    it('says which right is missing where it may create nothing', async () => {
      const folder = makeFolder();
      const address = ownedBy('nobody', 'NOCREATEROLE').replace('of_nobody', 'postgres');
      await expect(openWorld(folder, [makeRemote(folder, 'one')], { address })).rejects.toMatchObject({
        code: 'bad-input',
        message: expect.stringContaining('lacks a right in its database'),
      });
    });
  },
);
