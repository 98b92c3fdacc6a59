import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generatedObservation } from '../support/generated-records.ts';
import { makeFolder, makeRemote } from '../support/hub-world.ts';
import { callIn } from '../support/repository.ts';

let folder: string;
beforeAll(() => {
  folder = makeFolder();
  const remote = makeRemote(folder, 'api');
  remote.commit([generatedObservation(1), generatedObservation(2)]);
  writeFileSync(join(folder, 'hub.yaml'), `folder: hub\nrepositories:\n  - {id: api, path: ${remote.root}}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (...args: string[]) =>
  callIn({ root: folder, env: process.env }, ['hub', ...args, '--config', 'hub.yaml']);

it('syncs once, says what changed, and finds nothing wrong', async () => {
  expect(await call('sync')).toBe('1 repositories looked at, 1 changed, 0 failed.\n');
  expect(JSON.parse(await call('sync', 'api', '--json'))).toEqual({ repositories: [{ name: 'api', changed: false }] });
  const { ok, checks } = JSON.parse(await call('doctor', '--json'));
  expect(ok).toBe(true);
  expect(checks[0].message).toMatch(/^PGlite, 2 records/);
});

it('names a repository that the configuration does not have', async () => {
  await expect(call('sync', 'other')).rejects.toThrow('The hub has no repository other.');
});
