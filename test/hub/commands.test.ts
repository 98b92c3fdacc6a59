import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/hub/open.ts';
import { gitMem } from '../support/command-line.ts';
import { generatedObservation } from '../support/generated-records.ts';
import { makeFolder, makeRemote, putDatabase } from '../support/hub-world.ts';
import { callIn } from '../support/repository.ts';
import { forAllTests } from '../support/set-up.ts';

const folder = forAllTests((atEnd) => {
  const made = makeFolder(atEnd);
  const remote = makeRemote(made, 'api', [generatedObservation(1), generatedObservation(2)]);
  writeFileSync(join(made, 'hub.yaml'), `folder: hub\nrepositories:\n  - {id: api, path: ${remote.root}}\n`);
  return made;
});

const call = (...args: string[]) =>
  callIn({ root: folder(), env: process.env }, ['hub', ...args, '--config', 'hub.yaml']);

it('syncs once, says what changed, and finds nothing wrong', async () => {
  expect(await call('sync')).toBe('1 repositories checked, 1 changed, 0 failed.\n');
  expect(JSON.parse(await call('sync', 'api', '--json'))).toEqual({ repositories: [{ name: 'api', changed: false }] });
  const { ok, checks } = JSON.parse(await call('doctor', '--json'));
  expect(ok).toBe(true);
  expect(checks[0].message).toMatch(/^PGlite, 2 records/);
});

it('does not tick the sync while a repository fails', async () => {
  const other = join(folder(), 'other');
  const remote = makeRemote(other, 'gone');
  writeFileSync(join(other, 'hub.yaml'), `folder: hub\nrepositories:\n  - {id: gone, path: ${remote.root}}\n`);
  rmSync(remote.root, { recursive: true });
  await putDatabase(join(other, 'hub'));
  const answerTo = (...args: string[]) =>
    gitMem({ root: other, env: process.env }, ['hub', ...args, '--config', 'hub.yaml']);
  expect(await answerTo('sync')).toMatchObject({ code: 1 });
  const { checks } = JSON.parse((await answerTo('doctor', '--json')).stdout);
  expect(checks.slice(3)).toMatchObject([
    { name: 'sync', status: 'fail', message: '1 of 1 repositories cannot be synced.' },
    { name: 'gone', status: 'fail', message: expect.stringContaining('git ls-remote failed') },
  ]);
});

it('names a repository that the configuration does not have', async () => {
  await expect(call('sync', 'other')).rejects.toThrow('The hub has no repository other.');
});

it('names an example where the configuration is missing', async () => {
  const there = { root: folder(), env: process.env };
  const { code, stderr } = await gitMem(there, ['hub', 'status', '--config', 'none.yaml']);
  const example = /hub\.yaml; (\S+) is an example\.$/m.exec(stderr)?.[1] ?? '';
  expect([code, readFileSync(example, 'utf8')]).toEqual([1, expect.stringContaining('repositories:')]);
});

it('shows the audit log by person and time, and keeps it as long as the configuration says', async () => {
  for (const name of ['ci', 'nightly']) await call('token', 'create', name);
  expect(await call('audit')).toMatch(
    /^\S+ \S+ {2}service:nightly {2}token-created {2}\w+\n\S+ \S+ {2}service:ci {2}token-created {2}\w+\n$/,
  );
  const of = async (...filter: string[]) => {
    const { lines } = JSON.parse(await call('audit', '--json', ...filter)) as { lines: { who: { name: string } }[] };
    return lines.map(({ who }) => who.name);
  };
  expect(await of('--who', 'SERVICE:ci')).toEqual(['ci']);
  expect(await of('--who', 'nobody')).toEqual([]);
  expect(await of('--limit', '1')).toEqual(['nightly']);

  const database = await openDatabase({ folder: join(folder(), 'hub') });
  await database.query("UPDATE audit SET at = at - interval '89 days' WHERE number = 1", []);
  await database.close();
  expect(await of('--since', 'yesterday')).toEqual(['nightly']);
  expect(await of('--until', 'yesterday')).toEqual(['ci']);

  const again = await openDatabase({ folder: join(folder(), 'hub') });
  await again.query("UPDATE audit SET at = at - interval '2 days' WHERE number = 1", []);
  await again.close();
  expect(await of()).toEqual(['nightly']);

  const { tokens } = JSON.parse(await call('token', 'list', '--json')) as { tokens: { id: string; name: string }[] };
  const { id = '' } = tokens.find(({ name }) => name === 'ci') ?? {};
  expect(await call('token', 'revoke', id)).toBe(`Token ${id} is revoked.\n`);
  expect(await call('audit')).toContain('token-revoked');
  await expect(call('token', 'revoke', id)).rejects.toThrow(`There is no token ${id}.`);
});
