import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import { remember } from '../support/command.ts';
import { gitMem } from '../support/command-line.ts';
import { link } from '../support/links.ts';
import { createRepository, preparedOnce, type TestRepository } from '../support/repository.ts';
import { drop, observationOf, put } from '../support/written-records.ts';

const at = (time: string) => ({ generated: { by: 'test', at: time } });

const SKEW = observationOf({
  id: 'k3v9x2qd7m',
  type: 'bugfix',
  title: 'Tokens from the future are accepted for 30 seconds',
  narrative: 'The verifier of lib allows 30 seconds of clock skew.',
  ...at('2026-11-20T10:00:00Z'),
});
const OLD = observationOf({
  id: 'p8w2m4ta1c',
  title: 'The clock skew of lib is a minute',
  ...at('2026-10-01T10:00:00Z'),
});

/** A repository whose memory of two records is committed. */
const createLib = preparedOnce((atEnd) => {
  const lib = createRepository('lib', atEnd);
  commit(lib, drop(lib, SKEW), drop(lib, OLD));
  return lib;
});

function commit({ git }: TestRepository, ...paths: string[]): string {
  git('add', '--', ...paths);
  git('commit', '--quiet', '-m', 'memory');
  return git('rev-parse', 'HEAD').trim();
}

/** A repository with one record of its own that answers as well as lib's. */
function createOwn(): TestRepository {
  const own = createRepository('own');
  remember(own, [{ id: '7h2c9d4e1f', title: 'Log lines carry a request id', ...at('2026-11-19T10:00:00Z') }]);
  return own;
}

const url = (lib: TestRepository) => `file://${lib.root}`;

async function json(repository: TestRepository, ...args: string[]) {
  const { code, stdout, stderr } = await gitMem(repository, [...args, '--json']);
  return { code, stderr, ...JSON.parse(stdout || '{}') };
}

type Listed = { id: string; origin?: string };
const named = (records: Listed[]) => records.map(({ id, origin }) => (origin ? `${origin}:${id}` : id));

describe('search --linked', () => {
  it('labels another repository’s records with their origin, in text and JSON', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [lib.root]);
    const { stdout, code } = await gitMem(own, ['search', 'clock', 'skew', 'seconds', '--linked', '--limit', '1']);
    expect([code, stdout]).toEqual([
      0,
      `lib:k3v9 2026-11-20 10:00 bugfix    Tokens from the future are accepted for 30 seconds
         The verifier of lib allows 30 seconds of clock skew.
`,
    ]);
    const { hits } = await json(own, 'search', 'clock skew', '--linked');
    expect(hits.find(({ id }: Listed) => id === SKEW.id)).toMatchObject({
      origin: 'lib',
      trust: 'reviewed',
      freshness: 'unknown',
      path: join(lib.root, '.memory', storePath(SKEW)),
    });
  });

  it('is the only way to search them: nothing is linked by default', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [lib.root]);
    expect((await json(own, 'search', 'clock skew')).hits).toEqual([]);
    expect(named((await json(own, 'list')).records)).toEqual(['7h2c9d4e1f']);
    expect((await gitMem(own, ['show', 'k3v9'])).code).toBe(1);
  });

  it('ranks own records first among equals, however many others there are', async () => {
    const [own, lib] = [createOwn(), createLib()];
    const text = { title: 'Retries wait with jitter', narrative: 'A retry without jitter came back in waves.' };
    remember(own, [{ id: 'aaaaaaaaaa', ...text, ...at('2026-01-01T10:00:00Z') }]);
    for (const i of [1, 2, 3]) put(lib, observationOf({ id: `bbbbbbbbb${i}`, ...text, ...at('2026-11-20T10:00:00Z') }));
    link(own, [lib.root]);
    const { hits, total } = await json(own, 'search', 'retry jitter waves', '--linked');
    expect([total, hits.length]).toEqual([4, 4]);
    expect(hits[0]).toMatchObject({ id: 'aaaaaaaaaa' });
    expect(hits[0].origin).toBeUndefined();
  });

  it('ranks another repository’s clearly better record first, although each store has a best one', async () => {
    const [own, lib] = [createOwn(), createLib()];
    remember(own, [{ id: 'aaaaaaaaaa', title: 'The clock of the lobby is slow' }]);
    link(own, [lib.root]);
    const { hits } = await json(own, 'search', 'verifier allows seconds of clock skew', '--linked');
    expect(named(hits)[0]).toBe(`lib:${SKEW.id}`);
    expect(named(hits)).toContain('aaaaaaaaaa');
    const scores = hits.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  });

  it('leaves out linked records that this repository already has, hidden or not', async () => {
    const [own, lib] = [createOwn(), createLib()];
    put(own, SKEW);
    link(own, [lib.root]);
    expect(named((await json(own, 'search', 'clock skew', '--linked')).hits)).toEqual([`lib:${OLD.id}`, SKEW.id]);
    await gitMem(own, ['retire', SKEW.id]);
    expect(named((await json(own, 'search', 'clock skew', '--linked')).hits)).toEqual([`lib:${OLD.id}`]);
  });

  it('answers many queries in one process', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [lib.root]);
    const { stdout } = await gitMem(own, ['search', '--stdin', '--linked'], { stdin: 'clock skew\nrequest id\n' });
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(named(first.hits)).toContain(`lib:${SKEW.id}`);
    expect(named(second.hits)).toContain('7h2c9d4e1f');
  });

  it('respects the linked repository’s marks, including those of its own clone, and the filters', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [lib.root]);
    await lib.call('supersede', OLD.id, '--by', SKEW.id);
    expect(named((await json(own, 'search', 'clock skew', '--linked')).hits)).toEqual([`lib:${SKEW.id}`]);
    const all = await json(own, 'search', 'clock skew', '--linked', '--all', '--type', 'discovery');
    expect(named(all.hits)).toEqual([`lib:${OLD.id}`]);
    expect((await json(own, 'search', 'clock skew', '--linked', '--trust', 'own')).hits).toEqual([]);
  });

  it('treats as reviewed only what is on the linked repository’s default branch', async () => {
    const [own, lib] = [createOwn(), createLib()];
    put(lib, observationOf({ id: 'cccccccccc', title: 'A clock skew that nobody reviewed', supersedes: [] }));
    drop(lib, observationOf({ id: 'dddddddddd', title: 'A clock skew of strangers', supersedes: [SKEW.id] }));
    link(own, [lib.root]);
    const { hits } = await json(own, 'search', 'clock skew', '--linked');
    const trusts = Object.fromEntries(hits.map(({ id, trust }: { id: string; trust: string }) => [id, trust]));
    expect(trusts).toEqual({
      [SKEW.id]: 'reviewed',
      [OLD.id]: 'reviewed',
      cccccccccc: 'unreviewed',
      dddddddddd: 'unreviewed',
    });
    const strange = await json(own, 'search', 'clock skew', '--linked', '--trust', 'unreviewed');
    expect(named(strange.hits).sort()).toEqual(['lib:cccccccccc', 'lib:dddddddddd']);
  });

  it('prints no control sequence, in any format', async () => {
    const [own, lib] = [createOwn(), createLib()];
    const poison = 'clock \u001b]0;owned\u0007\u001b[2J\u202etxt';
    drop(lib, observationOf({ id: 'cccccccccc', title: poison, narrative: poison, facts: [poison] }));
    link(own, [lib.root]);
    for (const args of [
      ['search', 'clock', '--linked'],
      ['list', '--linked'],
      ['show', 'lib:cccc'],
      ['show', 'lib:cccc', '--raw'],
    ]) {
      const { stdout } = await gitMem(own, args);
      expect(stdout).toContain('owned');
      expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });

  it('follows no link out of the linked memory', async () => {
    const [own, lib, outside] = [createOwn(), createLib(), createRepository('outside')];
    drop(outside, observationOf({ id: 'cccccccccc', title: 'A clock skew of elsewhere' }));
    const elsewhere = join(outside.root, '.memory', dirname(storePath(SKEW)));
    const month = dirname(join(lib.root, '.memory', storePath(SKEW)));
    rmSync(month, { recursive: true });
    symlinkSync(elsewhere, month);
    link(own, [lib.root]);
    expect(named((await json(own, 'search', 'clock skew', '--linked')).hits)).toEqual([`lib:${OLD.id}`]);
    rmSync(join(lib.root, '.memory'), { recursive: true });
    symlinkSync(join(outside.root, '.memory'), join(lib.root, '.memory'));
    expect((await json(own, 'list', '--linked')).total).toBe(1);
  });

  it('names what cannot be read, and answers with the rest', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [lib.root, '/nowhere/at/all', url(lib), 'relative/path']);
    const { code, stderr, hits } = await json(own, 'search', 'clock skew', '--linked');
    expect(named(hits)).toContain(`lib:${SKEW.id}`);
    expect(stderr).toContain('all is not there: /nowhere/at/all is not a git checkout.');
    expect(stderr).toContain('lib-2 was never fetched: run `git mem links update lib-2`.');
    expect(stderr).toContain('relative/path is neither an absolute path');
    expect(code).toBe(1);
    link(own, ['/nowhere/at/all', url(lib)]);
    expect((await gitMem(own, ['search', 'clock', '--linked'])).code).toBe(0);
  });

  it('explains how to link when nothing is linked, and refuses --at', async () => {
    const own = createOwn();
    expect((await gitMem(own, ['list', '--linked'])).stderr).toContain('No repository is linked: add `links:');
    expect((await gitMem(own, ['list', '--linked', '--at', 'HEAD'])).code).toBe(2);
    own.write('.memory/config.yaml', 'links: ["/srv/lib"]\n');
    const { stderr } = await gitMem(own, ['list', '--linked']);
    expect(stderr).toContain('"links" is ignored in the team file');
  });
});

describe('list and show', () => {
  it('show linked records by their origin, or with --linked from every link', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [{ path: lib.root, name: 'platform' }]);
    const listed = await json(own, 'list', '--linked');
    expect([listed.total, named(listed.records)]).toEqual([
      3,
      [`platform:${SKEW.id}`, '7h2c9d4e1f', `platform:${OLD.id}`],
    ]);
    const { stdout } = await gitMem(own, ['show', 'platform:k3v9']);
    expect(stdout).toMatch(/^origin: +platform$/m);
    expect(stdout).toContain('The verifier of lib allows 30 seconds of clock skew.');
    const { records, missing } = await json(own, 'show', '7h2c', 'k3v9', 'zzzz', '--linked');
    expect([named(records), missing]).toEqual([['7h2c9d4e1f', `platform:${SKEW.id}`], ['zzzz']]);
    expect(records[1]).toMatchObject({ trust: 'reviewed', freshness: 'unknown', origin: 'platform', facts: [] });
    expect((await gitMem(own, ['show', 'other:k3v9'])).stderr).toContain(
      'There is no link and no repository called "other".',
    );
    expect((await json(own, 'show', 'platform:zzzz')).missing).toEqual(['platform:zzzz']);
  });

  it('ask which record is meant when several have the id', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [lib.root, { path: lib.root, name: 'again' }]);
    const { code, stderr } = await gitMem(own, ['show', 'k3v9', '--linked']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`lib:${SKEW.id}, again:${SKEW.id}`)]);
  });
});

describe('a pinned link', () => {
  it.each(['true', 'false'])(
    'is the memory at that commit, whatever was added since (server leaves out: %s)',
    async (filters) => {
      const [own, lib] = [createOwn(), createLib()];
      lib.git('config', 'uploadpack.allowFilter', filters);
      const first = lib.git('rev-parse', 'HEAD').trim();
      lib.git('rm', '--quiet', '-r', '.memory/observations/2026-10');
      commit(lib, drop(lib, observationOf({ id: 'cccccccccc', title: 'A newer clock skew' })));
      for (const commitId of [first, first.slice(0, 7)]) {
        link(own, [
          { path: lib.root, name: 'p', at: commitId },
          { url: url(lib), name: 'u', at: commitId },
        ]);
        expect((await gitMem(own, ['links', 'update'])).code).toBe(0);
        const { records } = await json(own, 'list', '--linked');
        const expected = ['7h2c9d4e1f', `p:${SKEW.id}`, `p:${OLD.id}`, `u:${SKEW.id}`, `u:${OLD.id}`];
        expect(named(records).sort()).toEqual(expected.sort());
        expect((await json(own, 'show', `p:${OLD.id}`)).records[0].trust).toBe('reviewed');
      }
    },
  );

  it('is refused where the repository lacks the commit, or only has a branch of that name', async () => {
    const [own, lib] = [createOwn(), createLib()];
    lib.git('branch', 'abcdef1');
    for (const commitId of ['abcdef1', 'f'.repeat(40)]) {
      link(own, [{ path: lib.root, at: commitId }]);
      const found = await json(own, 'search', 'request id', '--linked');
      expect([found.code, found.stderr, found.hits.length]).toEqual([
        1,
        expect.stringContaining(`lib has no commit ${commitId}`),
        1,
      ]);
      link(own, [{ url: url(lib), at: commitId }]);
      const updated = await gitMem(own, ['links', 'update']);
      expect([updated.code, updated.stderr]).toEqual([1, expect.stringContaining(`lib has no commit ${commitId}`)]);
    }
    link(own, [{ path: lib.root, at: 'main' }]);
    expect((await gitMem(own, ['list', '--linked'])).stderr).toContain('at is a commit id of 7 digits or more');
  });
});

describe('git mem links', () => {
  it('fetches a URL when told to, and not before', async () => {
    const [own, lib] = [createOwn(), createLib()];
    link(own, [url(lib), createRepository('path').root]);
    const before = await json(own, 'links');
    expect(before.links).toMatchObject([
      { name: 'lib', kind: 'url', records: null, updated: null, problem: expect.stringContaining('never fetched') },
      { name: 'path', kind: 'path', records: 0, commit: null, pinned: null, problem: null },
    ]);
    // Times are written in whole seconds.
    const began = Math.floor(Date.now() / 1000) * 1000;
    expect((await json(own, 'links', 'update')).links).toEqual([{ name: 'lib', changed: true, problem: null }]);
    const head = lib.git('rev-parse', 'HEAD').trim();
    const after = await json(own, 'links');
    expect(after.links[0]).toMatchObject({ commit: head, records: 2, problem: null });
    expect(Date.parse(after.links[0].updated)).toBeGreaterThanOrEqual(began);
    expect((await gitMem(own, ['links'])).stdout).toContain(`at ${head.slice(0, 10)}, 2 records, updated `);
    // Neither the repository itself nor anything that came since is needed, or seen.
    const newer = observationOf({ id: 'cccccccccc', title: 'A newer clock skew' });
    commit(lib, drop(lib, newer));
    renameSync(lib.root, `${lib.root}-gone`);
    expect(named((await json(own, 'search', 'clock skew', '--linked')).hits)).toEqual([
      `lib:${OLD.id}`,
      `lib:${SKEW.id}`,
    ]);
    const failed = await gitMem(own, ['links', 'update', 'lib']);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('git ls-remote failed')]);
    expect((await json(own, 'search', 'clock skew', '--linked')).total).toBe(2);
    renameSync(`${lib.root}-gone`, lib.root);
    expect((await gitMem(own, ['links', 'update', 'lib'])).stderr).toBe('lib was fetched.\n');
    expect((await gitMem(own, ['links', 'update', 'lib'])).stderr).toBe('lib is up to date.\n');
    expect(named((await json(own, 'search', 'newer clock', '--linked')).hits)[0]).toBe('lib:cccccccccc');
  });

  it('fetches only what it needs where the server supports it, and works where it does not', async () => {
    const [own, lib] = [createOwn(), createLib()];
    lib.write('large.bin', 'x'.repeat(100_000));
    commit(lib, 'large.bin');
    lib.git('config', 'uploadpack.allowFilter', 'true');
    link(own, [url(lib)]);
    expect(await gitMem(own, ['links', 'update'])).toMatchObject({ code: 0, stderr: 'lib was fetched.\n' });
    renameSync(lib.root, `${lib.root}-gone`);
    expect((await json(own, 'search', 'clock skew', '--linked')).total).toBe(2);
    const clone = cloneIn(join(own.env.HOME ?? '', '.cache/git-mem/links'));
    const found = own.git('-C', clone, 'rev-list', '--objects', '--missing=print', 'HEAD');
    expect(found.match(/^\?/gm)).toHaveLength(1);
  });

  it('reads an empty repository as one without records, and refuses a name that no link has', async () => {
    const [own, empty] = [createOwn(), createRepository('empty')];
    link(own, [url(empty)]);
    expect((await gitMem(own, ['links', 'update'])).code).toBe(0);
    expect((await gitMem(own, ['list', '--linked'])).stderr).toContain('empty had no commit');
    expect((await gitMem(own, ['links', 'update', 'lib'])).stderr).toContain('There is no link called "lib".');
    expect((await gitMem(own, ['links', 'update', '--bogus'])).code).toBe(2);
  });

  it('runs no program that an address names', async () => {
    const own = createOwn();
    const touched = join(own.folder, 'touched');
    link(own, [`ext::sh -c "touch ${touched}"`, { url: `file://${own.folder}/--upload-pack=touch ${touched}` }]);
    own.git('config', '--global', `url.ext::touch ${touched} .insteadOf`, `file://${own.folder}/`);
    mkdirSync(join(own.folder, 'x'));
    expect((await gitMem(own, ['links', 'update'])).code).toBe(1);
    expect(existsSync(touched)).toBe(false);
  });
});

/** The one clone that lies below the folder of links. */
function cloneIn(folder: string): string {
  const clone = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => /clone-[^/]+$/.test(path));
  return join(folder, clone ?? '');
}
