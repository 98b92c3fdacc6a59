import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { observationOf, promptOf, put } from '../../support/written-records.ts';

const it = test.extend('world', () => setUp());

const WEBHOOK = observationOf({ id: 'k3v9x2qd7m', title: "The vendor's sandbox drops every third webhook" });
const PARSER = observationOf({ id: 'p8w2m4ta1c', title: 'The old parser stays until the audit is over' });
const PROMPT = promptOf({ id: '7h2c9d4e1f', text: 'Why are webhooks lost?' });

const REF = 'refs/git-mem/private/ada';

async function sync(repository: TestRepository, ...args: string[]) {
  const { code, stdout, stderr } = await gitMem(repository, ['private', 'sync', '--as', 'ada', '--json', ...args]);
  return { code, stderr, ...JSON.parse(stdout || '{}') };
}

/** A clone with two private records and a prompt, and the remote that it was cloned from. */
function setUp(): { here: TestRepository; remote: string; clone: (name: string) => TestRepository } {
  const origin = createRepository('origin');
  const remote = join(origin.folder, 'remote.git');
  origin.git('commit', '--quiet', '--allow-empty', '-m', 'first');
  origin.git('clone', '--quiet', '--bare', origin.root, remote);
  const clone = (name: string): TestRepository => {
    const made = createRepository(name);
    rmSync(made.root, { recursive: true });
    origin.git('clone', '--quiet', remote, made.root);
    return made;
  };
  const here = clone('here');
  for (const record of [WEBHOOK, PARSER, PROMPT]) put(here, record, 'private');
  return { here, remote, clone };
}

async function titlesIn(repository: TestRepository): Promise<string[]> {
  const { stdout } = await gitMem(repository, ['list', '--store', 'private', '--kind', 'observation', '--json']);
  return JSON.parse(stdout).records.map(({ title, trust }: { title: string; trust: string }) => `${trust}: ${title}`);
}

describe('git mem private sync', () => {
  it('brings private records to another clone, where they count as one’s own', async ({ world: { here, clone } }) => {
    const there = clone('there');
    expect(there.git('for-each-ref', 'refs/git-mem')).toBe('');
    expect(await titlesIn(there)).toEqual([]);
    const sent = await sync(here);
    expect([sent.remote, sent.sent.sort()]).toEqual([`origin ${REF}`, [PROMPT.id, WEBHOOK.id, PARSER.id].sort()]);
    expect((await sync(there)).received.sort()).toEqual([PROMPT.id, WEBHOOK.id, PARSER.id].sort());
    expect((await titlesIn(there)).sort()).toEqual([`own: ${PARSER.title}`, `own: ${WEBHOOK.title}`]);
    expect(await sync(there)).toMatchObject({ sent: [], received: [], removed: [] });
    for (const one of [here, there]) {
      expect(one.git('status', '--porcelain', '-uall')).toBe('');
      expect(one.git('branch', '--all', '--format=%(refname)')).not.toContain('private');
    }
    // Whoever clones or fetches as usual gets nothing of it.
    const third = clone('third');
    third.git('fetch', '--quiet', '--all', '--tags');
    expect(third.git('for-each-ref', 'refs/git-mem')).toBe('');
  });

  it('joins what both clones added, and takes a removal along', async ({ world: { here, clone } }) => {
    await sync(here);
    const there = clone('there');
    await sync(there);
    const [one, two] = ['m4x1q9d3ab', 'n5y2r8e4cd'].map((id) => observationOf({ id, title: `Only known as ${id}` }));
    if (one) put(here, one, 'private');
    if (two) put(there, two, 'private');
    const { path } = JSON.parse((await gitMem(there, ['show', WEBHOOK.id, '--json'])).stdout).records[0];
    rmSync(path);
    expect((await sync(here)).sent).toEqual([one?.id]);
    expect(await sync(there)).toMatchObject({ sent: [two?.id], received: [one?.id] });
    expect(await sync(here)).toMatchObject({ received: [two?.id], removed: [WEBHOOK.id] });
    expect((await titlesIn(here)).sort()).toEqual((await titlesIn(there)).sort());
  });

  it('brings back what was lost with the folder', async ({ world: { here, remote } }) => {
    await sync(here);
    rmSync(join(here.root, '.git/git-mem'), { recursive: true });
    expect((await sync(here)).received).toHaveLength(3);
    expect(await titlesIn(here)).toHaveLength(2);
    // Even where the remote has lost it as well.
    rmSync(join(here.root, '.git/git-mem'), { recursive: true });
    here.git('-C', remote, 'update-ref', '-d', REF);
    expect((await sync(here)).received).toHaveLength(3);
    expect(here.git('-C', remote, 'ls-tree', '-r', '--name-only', REF).trim().split('\n')).toHaveLength(3);
  });

  it('takes both sides when two clones push at once', async ({ world: { here, clone } }) => {
    await sync(here);
    const clones = [clone('a'), clone('b'), clone('c')];
    for (const [i, one] of clones.entries())
      put(one, observationOf({ id: `m4x1q9d3a${i}`, title: `Of clone ${i}` }), 'private');
    const synced = await Promise.all(clones.map((one) => sync(one)));
    expect(synced.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect((await sync(here)).received).toHaveLength(3);
  });

  it('keeps a file with a secret, and drops what is no record', async ({ world: { here, remote, clone } }) => {
    const { path } = JSON.parse((await gitMem(here, ['show', WEBHOOK.id, '--json'])).stdout).records[0];
    const secret = 'ghp_a8F3kL9mN2pQ5rS7tU1vW4xY6zB0cD3eF5gH';
    writeFileSync(path, `${readFileSync(path, 'utf8')}\nIts token is ${secret}.\n`);
    expect(await sync(here)).toMatchObject({ code: 1, held: [WEBHOOK.id] });
    expect(here.git('-C', remote, 'log', '-p', REF)).not.toContain(secret);
    // Somebody else pushes to the reference what must never be written.
    here.write('hooks', 'echo pwned');
    symlinkSync('/etc', join(here.root, 'observations'));
    here.git('add', '--all');
    const tree = here.git('write-tree').trim();
    const commit = here.git('commit-tree', '-p', REF, '-m', 'x', tree).trim();
    here.git('push', '--quiet', 'origin', `${commit}:${REF}`);
    const there = clone('there');
    expect(await sync(there)).toMatchObject({ code: 0, received: [] });
    expect(existsSync(join(there.root, '.git/git-mem/private/hooks'))).toBe(false);
  });

  it('says what it needs', async () => {
    const alone = createRepository('alone');
    const { code, stderr } = await gitMem(alone, ['private', 'sync', '--as', 'ada']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('This repository has no remote.')]);
    alone.git('config', 'user.email', '');
    const unknown = await gitMem(alone, ['private', 'sync', 'https://example.invalid/a.git']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('--as NAME')]);
  });

  it('is what doctor recommends, until nothing exists only here', async ({ world: { here } }) => {
    const told = async () => {
      const { checks } = JSON.parse((await gitMem(here, ['doctor', '--json'])).stdout);
      return checks.find(({ name }: { name: string }) => name === 'private');
    };
    expect(await told()).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^2 private records exist only in this clone; `git mem private sync`/),
    });
    await sync(here);
    expect(await told()).toBeUndefined();
  });
});
