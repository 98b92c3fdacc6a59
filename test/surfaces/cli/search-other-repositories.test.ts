import { rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { register } from '../../../src/exchange/places/registry.ts';
import { locate } from '../../../src/git/locate.ts';
import { storePath } from '../../../src/memory/file-name.ts';
import { remember } from '../../support/command.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

const it = test.extend('world', () => setUp());

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

/** A repository with one record of its own, and one called lib of the same user with two that are committed. */
function setUp(): { own: TestRepository; lib: TestRepository } {
  const own = createRepository('own');
  remember(own, [{ id: '7h2c9d4e1f', title: 'Log lines carry a request id', ...at('2026-11-19T10:00:00Z') }]);
  const lib = { ...createRepository('lib'), env: own.env };
  lib.git('add', '--', drop(lib, SKEW), drop(lib, OLD));
  lib.git('commit', '--quiet', '-m', 'memory');
  const checkout = locate(lib.root);
  if (checkout) register(checkout, own.env, new Date());
  return { own, lib };
}

async function json(repository: TestRepository, ...args: string[]) {
  const { stdout } = await gitMem(repository, [...args, '--all-repositories', '--json']);
  return JSON.parse(stdout || '{}');
}

type Listed = { id: string; origin?: string };
const named = (records: Listed[]) => records.map(({ id, origin }) => (origin ? `${origin}:${id}` : id));

describe('search --all-repositories', () => {
  it('labels another repository’s records with their origin, in text and JSON', async ({ world: { own, lib } }) => {
    const question = ['search', 'clock', 'skew', 'seconds', '--all-repositories', '--limit', '1'];
    const { stdout, code } = await gitMem(own, question);
    expect([code, stdout]).toEqual([
      0,
      `lib:k3v9 2026-11-20 10:00 bugfix    Tokens from the future are accepted for 30 seconds
         The verifier of lib allows 30 seconds of clock skew.
`,
    ]);
    const { hits } = await json(own, 'search', 'clock skew');
    expect(hits.find(({ id }: Listed) => id === SKEW.id)).toMatchObject({
      origin: 'lib',
      trust: 'reviewed',
      path: join(lib.root, '.memory', storePath(SKEW)),
    });
  });

  it('ranks own records first among equals, however many others there are', async ({ world: { own, lib } }) => {
    const text = { title: 'Retries wait with jitter', narrative: 'A retry without jitter came back in waves.' };
    remember(own, [{ id: 'aaaaaaaaaa', ...text, ...at('2026-01-01T10:00:00Z') }]);
    for (const i of [1, 2, 3]) put(lib, observationOf({ id: `bbbbbbbbb${i}`, ...text, ...at('2026-11-20T10:00:00Z') }));
    const { hits, total } = await json(own, 'search', 'retry jitter waves');
    expect([total, hits.length]).toEqual([4, 4]);
    expect(hits[0]).toMatchObject({ id: 'aaaaaaaaaa' });
    expect(hits[0].origin).toBeUndefined();
  });

  it('ranks another repository’s clearly better record first, although each store has a best one', async () => {
    const { own } = setUp();
    remember(own, [{ id: 'aaaaaaaaaa', title: 'The clock of the lobby has a skew' }]);
    const { hits } = await json(own, 'search', 'verifier allows seconds of clock skew');
    expect(named(hits)[0]).toBe(`lib:${SKEW.id}`);
    expect(named(hits)).toContain('aaaaaaaaaa');
    const scores = hits.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  });

  it('leaves out records that this repository has itself, hidden or not', async ({ world: { own } }) => {
    put(own, SKEW);
    expect(named((await json(own, 'search', 'clock skew')).hits)).toEqual([`lib:${OLD.id}`, SKEW.id]);
    await gitMem(own, ['retire', SKEW.id]);
    expect(named((await json(own, 'search', 'clock skew')).hits)).toEqual([`lib:${OLD.id}`]);
  });

  it('answers many queries in one process', async ({ world: { own } }) => {
    const { stdout } = await gitMem(own, ['search', '--stdin', '--all-repositories'], {
      stdin: 'clock skew\nrequest id\n',
    });
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(named(first.hits)).toContain(`lib:${SKEW.id}`);
    expect(named(second.hits)).toContain('7h2c9d4e1f');
  });

  it('prints no control sequence, in any format', async ({ world: { own, lib } }) => {
    const poison = 'clock \u001b]0;owned\u0007\u001b[2J\u202etxt';
    drop(lib, observationOf({ id: 'cccccccccc', title: poison, narrative: poison, facts: [poison] }));
    for (const args of [
      ['search', 'clock', '--all-repositories'],
      ['list', '--all-repositories'],
      ['show', 'lib:cccc'],
      ['show', 'lib:cccc', '--raw'],
    ]) {
      const { stdout } = await gitMem(own, args);
      expect(stdout).toContain('owned');
      expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });

  it('follows no link out of another memory', async ({ world: { own, lib } }) => {
    const outside = createRepository('outside');
    drop(outside, observationOf({ id: 'cccccccccc', title: 'A clock skew of elsewhere' }));
    const elsewhere = join(outside.root, '.memory', dirname(storePath(SKEW)));
    const month = dirname(join(lib.root, '.memory', storePath(SKEW)));
    rmSync(month, { recursive: true });
    symlinkSync(elsewhere, month);
    expect(named((await json(own, 'search', 'clock skew')).hits)).toEqual([`lib:${OLD.id}`]);
  });

  it('refuses --at, which names a commit of this repository alone', async ({ world: { own } }) => {
    expect((await gitMem(own, ['list', '--all-repositories', '--at', 'HEAD'])).code).toBe(2);
  });
});
