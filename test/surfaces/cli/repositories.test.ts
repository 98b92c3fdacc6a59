import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registered } from '../../../src/exchange/places/registry.ts';
import type { Environment } from '../../../src/user-folders.ts';
import { runAlongside } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { note } from '../../support/prepared-repository.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const PROXY = observationOf({
  id: 'k3v9x2qd7m',
  type: 'bugfix',
  title: 'The proxy drops connections that idle for 60 seconds',
  narrative: 'Keep-alive of the proxy is shorter than that of the pool.',
});

/** Repositories of one user; the first has no record. */
function setUp(names = ['own', 'platform'], records = [PROXY]) {
  const repositories = names.map((name) => createRepository(name));
  const env = repositories[0]?.env ?? {};
  const all = repositories.map((one): TestRepository => ({ ...one, env }));
  for (const [i, one] of all.entries()) note(one, new Date(Date.now() - 60_000 + i));
  const [own, platform] = all as [TestRepository, TestRepository];
  const { git } = platform;
  git('add', '--all', '--', '.memory', ...records.map((record) => drop(platform, record)));
  git('commit', '--quiet', '--allow-empty', '-m', 'memory');
  return { own, platform, all };
}

async function json(repository: TestRepository, ...args: string[]) {
  const { code, stdout, stderr } = await gitMem(repository, [...args, '--json']);
  return { code, stderr, ...JSON.parse(stdout || '{}') };
}

const namesIn = (env: Environment) => registered(env).map(({ name }) => name);

/** The folder of the registry's notes. */
const notesOf = ({ env }: TestRepository) => join(env.HOME ?? '', '.local/state/git-mem/repositories');

describe('the list of repositories', () => {
  it('knows each repository when many are set up at once', async () => {
    const all = Array.from({ length: 6 }, (_, i) => createRepository(`service-${i}`));
    const env = all[0]?.env ?? {};
    const HOME = env.HOME;
    await Promise.all(all.map((one) => runAlongside(one, ['init', '--yes', '--json'], { HOME })));
    expect(namesIn(env)).toEqual(all.map((_, i) => `service-${i}`));
  });

  it('passes over a damaged note, which init writes again', async () => {
    const { own } = setUp();
    const [first = '', second = ''] = readdirSync(notesOf(own)).map((name) => join(notesOf(own), name));
    const broken = readFileSync(first, 'utf8').includes(own.root) ? first : second;
    writeFileSync(broken, '{"root": ');
    expect(namesIn(own.env)).toEqual(['platform']);
    await gitMem(own, ['init', '--yes', '--json']);
    expect(namesIn(own.env)).toEqual(['own', 'platform']);
  });
});

it('a search in all repositories finds the best of more repositories than it searches', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `service-${i}`);
  const { all } = setUp(names, []);
  for (const [i, one] of all.entries()) {
    put(one, observationOf({ id: `bbbbbbbbb${'0123456789ab'[i]}`, title: `The proxy of service ${i}` }));
  }
  const [own, last] = [all[0] as TestRepository, all[11] as TestRepository];
  put(last, { ...PROXY });
  const { hits } = await json(own, 'search', 'proxy idle connections', '--all-repositories', '--limit', '3');
  expect(hits[0]).toMatchObject({ id: PROXY.id, origin: 'service-11' });
  const { records } = await json(own, 'list', '--all-repositories', '--limit', '20');
  expect(records).toHaveLength(13);
});
