import { rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePath } from '../../src/memory/file-name.ts';
import { remember } from '../support/command.ts';
import { gitMem } from '../support/command-line.ts';
import { link } from '../support/links.ts';
import { createRepository } from '../support/repository.ts';
import { drop, observationOf, put } from '../support/written-records.ts';
import { at, createLib, createOwn, json, type Listed, named, OLD, SKEW, url } from './linked-memory.ts';

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
