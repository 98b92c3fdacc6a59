import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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
  it('has those that init set up, once for all worktrees', async () => {
    const { own, platform } = setUp();
    await gitMem(own, ['init', '--yes', '--json']);
    const tree = join(own.folder, 'tree');
    own.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    own.git('worktree', 'add', '--quiet', tree);
    mkdirSync(join(tree, '.memory'), { recursive: true });
    await gitMem({ ...own, root: tree }, ['init', '--yes', '--json']);
    await gitMem({ ...createRepository('tried'), env: own.env }, ['init', '--yes', '--dry-run', '--json']);
    expect(registered(own.env)).toMatchObject([
      { name: 'platform', root: platform.root, added: expect.stringMatching(/^\d{4}-.*Z$/) },
      { name: 'tree', root: tree },
    ]);
  });

  it('knows each repository when many are set up at once', async () => {
    const all = Array.from({ length: 6 }, (_, i) => createRepository(`service-${i}`));
    const env = all[0]?.env ?? {};
    const HOME = env.HOME;
    await Promise.all(all.map((one) => runAlongside(one, ['init', '--yes', '--json'], { HOME })));
    expect(namesIn(env)).toEqual(all.map((_, i) => `service-${i}`));
  });

  it('numbers those of the same name, and loses one that is uninstalled', async () => {
    const { own, platform } = setUp(['own', 'api', 'api', 'web']);
    expect(namesIn(own.env)).toEqual(['api', 'api-2', 'own', 'web']);
    await gitMem(platform, ['uninstall', '--yes']);
    expect(namesIn(own.env)).toEqual(['api', 'own', 'web']);
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

describe('a search in all repositories', () => {
  it('finds the best of more repositories than it searches', async () => {
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
});

describe('--all-repositories', () => {
  it('finds what others commit, and shows it by its name', async () => {
    const { own, platform } = setUp();
    expect((await json(own, 'search', 'idle proxy')).hits).toEqual([]);
    const { hits } = await json(own, 'search', 'idle proxy', '--all-repositories');
    expect(hits).toEqual([expect.objectContaining({ id: PROXY.id, origin: 'platform', trust: 'reviewed' })]);
    expect((await json(own, 'list', '--all-repositories')).records).toEqual([
      expect.objectContaining({ id: PROXY.id, origin: 'platform' }),
    ]);
    expect((await gitMem(own, ['show', 'platform:k3v9'])).stdout).toContain(PROXY.title);
    expect(hits[0].path).toContain(platform.root);
  });

  it('shows what was copied into the personal store where it came from', async () => {
    const { own, platform } = setUp(['own', 'zebra']);
    await gitMem(own, ['personal', 'init']);
    await gitMem(platform, ['promote', PROXY.id, '--to', 'personal']);
    const origins = async (...args: string[]) => {
      const { hits, records } = await json(own, ...args, '--all-repositories');
      return (hits ?? records).map(({ origin }: { origin: string }) => origin);
    };
    expect(await origins('search', 'idle proxy')).toEqual(['zebra']);
    expect(await origins('list')).toEqual(['zebra']);
  });

  it('counts trust and marks as over there, and leaves what is private there', async () => {
    const { own, platform } = setUp();
    drop(platform, observationOf({ id: 'cccccccccc', title: 'An idle proxy that nobody reviewed' }));
    const note = put(platform, observationOf({ id: 'dddddddddd', title: 'An idle proxy, my own note' }), 'private');
    expect(readFileSync(join(platform.root, note), 'utf8')).toContain('my own note');
    expect((await gitMem(own, ['show', 'platform:dddddddddd'])).code).toBe(1);
    const found = async () => {
      const { hits } = await json(own, 'search', 'idle proxy', '--all-repositories');
      return hits.map(({ id, trust }: { id: string; trust: string }) => [id, trust]);
    };
    expect(await found()).toEqual(
      expect.arrayContaining([
        [PROXY.id, 'reviewed'],
        ['cccccccccc', 'unreviewed'],
      ]),
    );
    expect(await found()).toHaveLength(2);
    await platform.call('retire', PROXY.id);
    expect(await found()).toEqual([['cccccccccc', 'unreviewed']]);
  });

  it('finds the ledger and the cache over there where the state of this repository is moved', async () => {
    const { own, platform } = setUp();
    put(platform, observationOf({ id: 'cccccccccc', title: 'An idle proxy that this user noted' }));
    const env = { GIT_MEM_STATE: join(own.folder, 'state') };
    const { stdout } = await gitMem(own, ['search', 'idle proxy noted', '--all-repositories', '--json'], { env });
    expect(JSON.parse(stdout).hits[0]).toMatchObject({ id: 'cccccccccc', trust: 'own' });
    expect(readdirSync(join(platform.root, '.git/git-mem'))).toContain('cache.sqlite');
  });

  it('answers without one that is gone, and names it', async () => {
    const { own, platform } = setUp(['own', 'platform', 'lib']);
    renameSync(platform.root, `${platform.root}-moved`);
    const { code, hits, stderr } = await json(own, 'search', 'idle proxy', '--all-repositories');
    expect([code, hits, stderr]).toEqual([
      0,
      [],
      expect.stringMatching(/^platform is gone: .* Delete .*\.json to end this note\.$/m),
    ]);
    const unknown = await gitMem(own, ['show', 'nowhere:k3v9']);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringContaining('There is no other repository called "nowhere"'),
    ]);
  });
});
