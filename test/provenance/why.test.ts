import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { drop, markOf, observationOf, put, summaryOf } from '../support/written-records.ts';

const it = test.extend('repository', () => committedBase());

async function why(repository: TestRepository, id: string) {
  const { code, stdout, stderr } = await gitMem(repository, ['why', id, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const [A, B, C, D] = ['aaaaaaaaa1', 'bbbbbbbbb1', 'ccccccccc1', 'ddddddddd1'];
const session = '65939976-74e7-49bb-921b-c8315e7665e8';

describe('git mem why', () => {
  it('shows session, prompt, commits, files and trust', async ({ repository }) => {
    const commit = repository.git('rev-parse', 'HEAD').trim();
    repository.write('a.txt', 'changed\n');
    const anchors = { 'a.txt': repository.git('hash-object', 'a.txt').trim(), 'b.txt': '1'.repeat(40) };
    const about = { session, branch: 'main', commit, anchors, files_modified: ['a.txt'], files_read: ['b.txt'] };
    put(repository, observationOf({ id: A, ...about, prompt_number: 2 }));
    put(repository, summaryOf({ id: B, session, learned: `See ${A}.` }));
    put(repository, observationOf({ id: C, session: 'another', facts: [`Not ${A}x.`] }));
    const generated = { by: 'test', at: '2026-11-20T20:00:00Z' };
    put(repository, { kind: 'prompt', id: D, session, prompt_number: 2, text: 'please fix it', generated }, 'private');
    const open = await why(repository, 'aaaa');
    expect(open).toMatchObject({ id: A, trust: 'own', recorded: null, reverted_by: null, prompt: 'please fix it' });
    expect(open.trust_reason).toBe('This clone wrote it or accepted it; it is not on main yet.');

    repository.git('commit', '--quiet', '-am', 'work');
    repository.commit('memory');
    expect(await why(repository, 'aaaa')).toMatchObject({
      session: { id: session, prompt_number: 2, records: [{ id: B, kind: 'summary' }] },
      branch: 'main',
      commit,
      recorded: {
        subject: 'memory',
        author: 'Test',
        commit: repository.git('rev-parse', 'HEAD').trim(),
        with_change: false,
      },
      reverted_by: null,
      trust: 'reviewed',
      trust_reason: 'The same file is on main.',
      files: [
        { path: 'a.txt', change: 'modified', freshness: 'fresh' },
        { path: 'b.txt', change: 'read', freshness: 'fresh' },
      ],
      cited_by: [{ id: B }],
    });
  });

  it('names what a mark replaced it by, and what it replaced', async ({ repository }) => {
    put(repository, observationOf({ id: A, title: 'Pools are bounded by the database' }));
    put(repository, observationOf({ id: B, title: 'Pools are bounded by the proxy' }));
    expect((await gitMem(repository, ['supersede', A, '--by', B])).code).toBe(0);
    const by = { id: B, title: 'Pools are bounded by the proxy' };
    expect(await why(repository, A)).toMatchObject({ superseded_by: [by] });
    const old = { id: A, title: 'Pools are bounded by the database' };
    expect(await why(repository, B)).toMatchObject({ supersedes: [old] });
  });

  it('names no commit but the one that added the record, whatever changed its files before and after', async () => {
    const repository = committedBase();
    repository.write('a.txt', 'changed\n');
    repository.git('commit', '--quiet', '-am', 'work');
    const anchors = { 'a.txt': repository.git('hash-object', 'a.txt').trim() };
    const commit = repository.git('rev-parse', 'HEAD').trim();
    put(repository, observationOf({ id: A, commit, anchors, files_modified: ['a.txt'] }));
    repository.write('a.txt', 'changed again\n');
    repository.git('commit', '--quiet', '-m', 'a stranger', 'a.txt');
    expect(await why(repository, A)).toMatchObject({ recorded: null });
    expect((await gitMem(repository, ['why', A])).stdout).not.toMatch(/work|stranger|recorded in/);
  });

  it('says whether the commit also changed what the record cites, of a squashed branch too', async ({ repository }) => {
    repository.git('switch', '--quiet', '-c', 'side');
    put(repository, observationOf({ id: A, files_modified: ['a.txt'] }));
    repository.write('a.txt', 'changed\n');
    repository.commit('work');
    repository.git('switch', '--quiet', 'main');
    repository.git('merge', '--quiet', '--squash', 'side');
    repository.git('commit', '--quiet', '-m', 'squashed');
    expect(await why(repository, A)).toMatchObject({ recorded: { subject: 'squashed', with_change: true } });
    expect((await gitMem(repository, ['why', A])).stdout).toMatch(/recorded in .*: squashed, with the change\n/);
  });

  it('says where a shallow history ends before it', async ({ repository }) => {
    put(repository, observationOf({ id: A, files_modified: ['a.txt'] }));
    repository.commit('memory');
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'later');
    const root = join(repository.folder, 'shallow');
    repository.git('clone', '--quiet', '--depth', '1', `file://${repository.root}`, root);
    expect(await why({ ...repository, root }, A)).toMatchObject({ recorded: null, history_ends: true });
    const { stdout } = await gitMem({ ...repository, root }, ['why', A]);
    expect(stdout).toContain('recorded in   Unknown: the history here ends before it (a shallow clone).');
  });

  it('leaves a long history to the background, and says so', async ({ repository }) => {
    const empty = 'commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000\ndata 0\n';
    const input = `${empty}from refs/heads/main^0\n${empty.repeat(1000)}`;
    execFileSync('git', ['fast-import', '--quiet'], { cwd: repository.root, env: repository.env, input });
    put(repository, observationOf({ id: A }));
    repository.commit('memory');
    expect(await why(repository, A)).toMatchObject({ recorded: null, history_unread: true });
    expect((await gitMem(repository, ['why', A])).stdout).toContain('Unknown: the history was not read yet');
    await repository.call('sync');
    expect(await why(repository, A)).toMatchObject({ recorded: { subject: 'memory' } });
  });

  it('names the commits of its session, from the digest of this clone', async ({ repository }) => {
    const commits = [repository.git('rev-parse', 'HEAD').trim()];
    put(repository, observationOf({ id: A, session, files_modified: ['a.txt'] }));
    put(repository, summaryOf({ id: B, type: 'digest', session, commits }), 'private');
    expect(await why(repository, A)).toMatchObject({ session: { commits } });
    expect((await gitMem(repository, ['why', A])).stdout).toContain(`its commits   ${commits[0]?.slice(0, 8)}\n`);
  });

  it('follows supersedes both ways, through cycles and missing records', async ({ repository }) => {
    put(repository, observationOf({ id: A, supersedes: ['zzzzzzzzz1'] }));
    put(repository, observationOf({ id: B, supersedes: [A] }));
    put(repository, observationOf({ id: C }));
    put(repository, markOf({ id: 'mmmmmmmmm1', type: 'supersede', targets: [B], by: C }));
    put(repository, markOf({ id: 'mmmmmmmmm2', type: 'supersede', targets: [C], by: A }));
    const story = await why(repository, B);
    expect(story.supersedes.map(({ id }: { id: string }) => id)).toEqual([A, C, 'zzzzzzzzz1']);
    expect(story.superseded_by.map(({ id }: { id: string }) => id)).toEqual([C, A]);
    expect(story.supersedes[2]).toEqual({ id: 'zzzzzzzzz1', title: null });
  });

  it('shows every mark with its reason, and whether it is active', async ({ repository }) => {
    drop(repository, observationOf({ id: A }));
    repository.commit('memory');
    put(repository, markOf({ id: 'mmmmmmmmm1', type: 'retire', targets: [A], reason: 'Gone.' }));
    put(repository, markOf({ id: 'mmmmmmmmm2', type: 'undo', targets: ['mmmmmmmmm1'] }));
    put(repository, markOf({ id: 'mmmmmmmmm3', type: 'pin', targets: [A] }));
    drop(repository, markOf({ id: 'mmmmmmmmm4', type: 'redact', targets: [A], reason: 'Says a stranger.' }));
    const { marks } = await why(repository, A);
    const told = marks.map(({ type, active, trust, reason }: Record<string, unknown>) => [type, active, trust, reason]);
    expect(told.sort()).toEqual([
      ['pin', true, 'own', ''],
      ['redact', false, 'unreviewed', 'Says a stranger.'],
      ['retire', false, 'own', 'Gone.'],
    ]);
    const { stdout } = await gitMem(repository, ['why', A]);
    expect(stdout).toContain('retire (undone) 2026-11-20 by test: Gone.');
    expect(stdout).toContain('redact (unreviewed: it does not count)');
  });

  it('is readable, and lets nothing move the cursor', async ({ repository }) => {
    const record = observationOf({ id: A, title: 'Retry uploads', files_read: ['a\u001b[31m.txt'], branch: 'main' });
    const path = put(repository, record);
    repository.git('add', '.');
    repository.git('-c', 'user.name=An\u001b[2Jn', 'commit', '--quiet', '-m', 'memory');
    const { stdout } = await gitMem(repository, ['why', A]);
    expect(stdout).not.toContain('\u001b');
    expect(stdout.replace(/[0-9a-f]{8} \d{4}-\d\d-\d\d/, 'COMMIT')).toBe(
      `Retry uploads
${A} (observation, discovery)

captured      2026-11-20 20:05 by test, on main
recorded in   COMMIT Ann: memory, by itself
trust         reviewed. The same file is on main.
files         a [31m.txt (read, unknown)

${path}
`,
    );
  });

  it('says when there is no such record, or several', async ({ repository }) => {
    for (const id of ['aaaaaaaaa1', 'aaaaaaaaa2']) put(repository, observationOf({ id }));
    expect(await gitMem(repository, ['why', 'zzzz'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No record has an id that starts with "zzzz"'),
    });
    expect(await gitMem(repository, ['why', 'aaaa'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('names 2 records'),
    });
  });
});
