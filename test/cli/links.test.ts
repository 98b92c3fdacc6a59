import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { link } from '../support/links.ts';
import { createRepository } from '../support/repository.ts';
import { drop, observationOf } from '../support/written-records.ts';
import { cloneIn, commit, createLib, createOwn, json, named, OLD, SKEW, url } from './linked-memory.ts';

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
