import { describe, expect, test } from 'vitest';
import { noteInjected } from '../../../src/inject/prompt/injected.ts';
import { openWorkspace } from '../../../src/memory/store/workspace.ts';
import type { ContextAnswer, Review } from '../../../src/surfaces/viewer/protocol.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { drop, edit, observationOf, put } from '../../support/written-records.ts';

const it = test.extend('repository', () => branched());

const OLD = observationOf({
  id: 'aaaaaaaaa1',
  type: 'bugfix',
  title: 'The first fix',
  narrative: 'It was so.',
  concepts: ['x'],
  discovery_tokens: 9000,
});
const KEPT = observationOf({ id: 'aaaaaaaaa2', type: 'decision', title: 'Kept', narrative: 'It is so.' });

function branched(): TestRepository {
  const repository = createRepository();
  put(repository, OLD);
  put(repository, KEPT);
  repository.commit('Memory');
  repository.git('checkout', '--quiet', '-b', 'topic');
  return repository;
}

describe('the context', () => {
  it('matches that of the command exactly, with titles', async ({ repository }) => {
    drop(repository, observationOf({ id: 'fffffffff1', title: 'A stranger says' }));
    await repository.call('redact', 'aaaaaaaaa2');
    const { ask } = await startViewer(repository);
    const { records, dropped, limit, last, ...rest } = await ask<ContextAnswer>('context');
    expect([limit, last]).toEqual([1000, null]);
    const { records: told, dropped: left, ...command } = JSON.parse(await repository.call('context', '--json'));
    expect(rest).toEqual(command);
    expect(records).toEqual(told.map((one: object) => ({ ...one, title: 'The first fix' })));
    expect(dropped.map(({ title: _, ...one }) => one)).toEqual(left);
    expect(dropped.find(({ id }) => id === 'aaaaaaaaa2')?.title).toBe('');
  });

  it('says what the last session was told, without what it left itself', async ({ repository }) => {
    const session = '65939976-74e7';
    const on = (day: number) => ({ by: 'claude-code', at: `2026-11-${day}T12:00:00Z` });
    const left = observationOf({ id: 'aaaaaaaaa3', title: 'Left', session, generated: on(22) });
    put(repository, left);
    put(repository, observationOf({ id: 'aaaaaaaaa4', title: 'Other', session: 'before', generated: on(21) }));
    const { layout } = openWorkspace(repository.root, repository.env);
    noteInjected(layout.state, session, [KEPT.id, OLD.id, left.id]);
    noteInjected(layout.state, 'before', [OLD.id]);
    await repository.call('redact', OLD.id);
    const { last } = await (await startViewer(repository)).ask<ContextAnswer>('context');
    expect(last).toMatchObject({ session, title: 'Left', started: on(22).at });
    expect(last?.records.map(({ title }) => title).sort()).toEqual(['(redacted)', 'Kept']);
  });
});

describe('the review', () => {
  it('matches the diff of the command, with the texts', async ({ repository }) => {
    edit(repository, KEPT, { ...KEPT, narrative: 'It is otherwise.' });
    const { id } = JSON.parse(
      await repository.call('add', '--title', 'The second fix holds rows', '--supersedes', 'aaaaaaaaa1', '--json'),
    );
    const { ask } = await startViewer(repository);
    const review = await ask<Review>('review');
    const diff = JSON.parse(await repository.call('diff', '--json'));
    expect(review).toMatchObject({ base: diff.base, head: 'worktree', base_name: 'main', ok: true });
    const items = (key: string) => review.sections.find((section) => section.key === key)?.items ?? [];
    expect(items('added')).toMatchObject([
      {
        id,
        title: 'The second fix holds rows',
        trust: 'own',
        before: null,
        after: expect.stringContaining('The second fix holds rows'),
      },
    ]);
    expect(items('edited')).toMatchObject([
      {
        id: 'aaaaaaaaa2',
        note: 'narrative',
        before: expect.stringContaining('It is so.'),
        after: expect.stringContaining('otherwise'),
      },
    ]);
    expect(items('superseded')).toMatchObject([
      {
        id: 'aaaaaaaaa1',
        note: `by ${id}`,
        before: expect.stringContaining('It was so.'),
        after: expect.stringContaining('second'),
      },
    ]);
    expect(review.sections.map(({ title, level }) => [title, level])).toContainEqual(['Edited by hand', 'warn']);
  });

  it('offers what the change makes stale for marking, and takes all ids at once, however much the branch adds', async () => {
    const repository = createRepository();
    repository.write('a.txt', 'rowLimit\n');
    const about = { files_read: ['a.txt'], narrative: 'It has `rowLimit`.' };
    put(repository, observationOf({ id: 'sta1e00000', title: 'About a', ...about }));
    repository.commit('Memory');
    const ids = Array.from({ length: 501 }, (_, i) => `many${String(i).padStart(6, '0')}`);
    for (const id of ids) drop(repository, observationOf({ id, title: `Number ${id}` }));
    repository.write('a.txt', 'now\n');
    const { ask, act } = await startViewer(repository);
    const { sections } = await ask<Review>('review');
    const items = (key: string) => sections.find((section) => section.key === key)?.items ?? [];
    expect(items('added').filter(({ here }) => here)).toHaveLength(501);
    expect(items('stale_by_change')).toMatchObject([
      { id: 'sta1e00000', here: true, files: ['a.txt'], after: expect.stringContaining('About a') },
    ]);
    expect(await act({ action: 'trust', ids })).toHaveLength(501);
  });

  it('redacts secrets, including those in earlier versions', async () => {
    const repository = createRepository();
    const secret = ['ghp', 'x7Kp2mQ9vR4tY8wZ1aB3cD5eF6gH0jL2nM4p'].join('_');
    const earlier = ['ghp', 'p4Mn2Lj0Hg6Fe5Dc3Ba1Zw8Yt4Rv9Qm2pK7x'].join('_');
    const leaky = { ...KEPT, narrative: `The key is ${earlier}.` };
    edit(repository, KEPT, leaky);
    repository.commit('Memory');
    repository.git('checkout', '--quiet', '-b', 'topic');
    edit(repository, KEPT, KEPT);
    drop(repository, { ...OLD, narrative: `It is ${secret}.` });
    const { raw, cookie } = await startViewer(repository);
    const { text } = await raw('/api/review', { headers: { cookie } });
    expect(text).toContain('The key is');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(earlier);
    expect(JSON.parse(text).ok).toBe(false);
  });

  it('accepts any base, and treats none as an option', async ({ repository }) => {
    const { ask, refused } = await startViewer(repository);
    expect(await ask<Review>('review?base=main')).toMatchObject({ base_name: 'main', sections: [] });
    for (const base of ['--output=/tmp/x', '-h', 'nowhere', 'main --help', 'a\0b']) {
      const query = new URLSearchParams({ base });
      expect(await refused(`review?${query}`)).toMatchObject({ status: 400, code: 'no-such-revision' });
    }
  });
});
