import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSettled } from '../../../src/kept/keep.ts';
import type { Mark, Prompt } from '../../../src/memory/record.ts';
import type { ChangeEvent, FeedPage, Meta, SearchAnswer } from '../../../src/surfaces/viewer/protocol.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { drop, edit, observationOf, put, summaryOf } from '../../support/written-records.ts';

const it = test.extend('repository', () => filled());

const at = (day: number) => ({ by: 'test', at: `2026-11-${String(day).padStart(2, '0')}T12:00:00Z` });

const OBSERVATIONS = [
  observationOf({
    id: 'aaaaaaaaa1',
    type: 'bugfix',
    title: 'The exporter wrote dates in local time',
    generated: at(10),
    concepts: ['dates', 'export'],
    files_modified: ['src/export.ts'],
    branch: 'main',
    session: 'session-one',
    narrative: 'Every date is UTC now. Readers before 2.0 cope.',
  }),
  observationOf({
    id: 'aaaaaaaaa2',
    type: 'decision',
    title: 'Postgres keeps sessions',
    generated: at(11),
    concepts: ['dates'],
  }),
  observationOf({ id: 'aaaaaaaaa3', title: 'Imports stream', generated: at(12), files_read: ['src/import/read.ts'] }),
];

function filled(atEnd?: AtEnd): TestRepository {
  const repository = createRepository('repository', atEnd);
  for (const record of OBSERVATIONS) put(repository, record);
  put(repository, summaryOf({ id: 'ssssssssss', title: 'A day on dates', generated: at(13), session: 'session-one' }));
  const prompt: Prompt = {
    kind: 'prompt',
    id: 'pppppppppp',
    generated: at(9),
    session: 'session-one',
    text: 'Fix dates\nPlease.',
  };
  put(repository, prompt, 'private');
  drop(repository, observationOf({ id: 'fffffffff1', title: 'A stranger says', generated: at(14) }));
  return repository;
}

/**
 * Waits until the times of all files of records tell that nobody changed them since. Until then they are read at every
 * question, and when they need not be any more the index notes it, which is another revision, too.
 */
function aged({ root }: TestRepository): Promise<void> {
  const folders = [join(root, '.memory'), join(root, '.git/git-mem/private')];
  const isAged = (path: string) => {
    const { mtimeMs, ctimeMs } = statSync(path);
    return isSettled({ modifiedMs: mtimeMs, changedMs: ctimeMs }, Date.now());
  };
  const paths = () =>
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
  return expect.poll(() => paths().every(isAged)).toBe(true);
}

// For the tests that only ask.
const repository = forAllTests(filled);
const viewer = forAllTests((atEnd) => startViewer(repository(), atEnd));

const ids = ({ items }: FeedPage) => items.map(({ id }) => id.slice(-2));

describe('meta', () => {
  it('counts all records and names the filter values, most common first', async () => {
    const { ask } = viewer();
    await aged(repository());
    const meta = await ask<Meta>('meta');
    expect(meta).toMatchObject({
      repository: 'repository',
      branch: 'main',
      live: true,
      concepts: [
        { name: 'dates', count: 2 },
        { name: 'export', count: 1 },
      ],
      branches: [{ name: 'main', count: 1 }],
      counts: { observation: 4, summary: 1, mark: 0, prompt: 1 },
      types: [
        { name: 'discovery', count: 2 },
        { name: 'bugfix', count: 1 },
        { name: 'decision', count: 1 },
        { name: 'summary', count: 1 },
      ],
    });
    expect((await ask<Meta>('meta')).revision).toBe(meta.revision);
  });

  it('gets a new revision once a record is added, accepted or committed', async ({ repository }) => {
    const { ask } = await startViewer(repository);
    await aged(repository);
    const seen = [(await ask<Meta>('meta')).revision];
    const changes = [
      () => repository.call('retire', 'aaaaaaaaa3'),
      () => repository.call('trust', 'fffffffff1'),
      () => repository.git('add', '.'),
      () => repository.git('commit', '--quiet', '-m', 'Memory'),
    ];
    for (const change of changes) {
      await change();
      await aged(repository);
      seen.push((await ask<Meta>('meta')).revision);
    }
    // Staging alone changes nothing that counts.
    expect(new Set(seen).size).toBe(seen.length - 1);
    const { items } = await ask<FeedPage>('feed');
    expect(items.map(({ trust }) => trust)).toEqual(['reviewed', 'reviewed', 'reviewed', 'reviewed']);
  });
});

describe('the feed', () => {
  it('gives pages, newest first, with all that a card shows', async () => {
    const { ask } = viewer();
    const all = await ask<FeedPage>('feed');
    expect(ids(all)).toEqual(['f1', 'ss', 'a3', 'a2', 'a1']);
    expect(all.items.at(-1)).toEqual({
      id: 'aaaaaaaaa1',
      kind: 'observation',
      type: 'bugfix',
      title: 'The exporter wrote dates in local time',
      excerpt: 'Every date is UTC now. Readers before 2.0 cope.',
      created: '2026-11-10T12:00:00Z',
      author: 'test',
      session: 'session-one',
      branch: 'main',
      concepts: ['dates', 'export'],
      files: ['src/export.ts'],
      store: 'team',
      trust: 'own',
      freshness: 'unknown',
      pinned: false,
      verified: false,
      retired: false,
      redacted: false,
      disputed: false,
      edited: false,
      inputs: [],
      superseded_by: [],
    });
    const page = await ask<FeedPage>('feed?offset=1&limit=2');
    expect([page.total, page.offset, ids(page)]).toEqual([5, 1, ['ss', 'a3']]);
    expect((await ask<FeedPage>('feed?offset=90')).items).toEqual([]);
  });

  it.each([
    ['type=bugfix&type=decision', ['a2', 'a1']],
    ['concept=export', ['a1']],
    ['file=src', ['a3', 'a1']],
    ['file=src%2F**%2Fread.ts', ['a3']],
    ['branch=main', ['a1']],
    ['session=session', ['ss', 'a1']],
    ['since=2026-11-12', ['f1', 'ss', 'a3']],
    ['until=2026-11-11', ['a2', 'a1']],
    ['kind=prompt', ['pp']],
    ['kind=prompt&kind=summary', ['ss', 'pp']],
    ['store=private&kind=prompt', ['pp']],
    ['trust=unreviewed', ['f1']],
    ['freshness=fresh', []],
    ['freshness=unknown&type=bugfix', ['a1']],
    ['type=bugfix&since=2026-11-12', []],
  ])('with %s', async (query, expected) => {
    const { ask } = viewer();
    const page = await ask<FeedPage>(`feed?${query}`);
    expect([page.total, ids(page)]).toEqual([expected.length, expected]);
  });

  it.each([
    'since=someday',
    'until=2026-13',
    'kind=note',
    'trust=much',
    'freshness=ripe',
    'store=mine',
    'limit=-1',
    'offset=x',
  ])('refuses %s and says what is allowed', async (query) => {
    const { refused } = viewer();
    for (const address of ['feed', 'search']) {
      if (address === 'search' && query.startsWith('offset')) continue;
      const { status, code, hint } = await refused(`${address}?q=dates&${query}`);
      expect([status, code, Boolean(hint)]).toEqual([400, 'bad-input', true]);
    }
  });

  it('leaves out superseded, retired and redacted records unless all are asked for, and every word of redacted ones', async () => {
    const repository = filled();
    await repository.call('supersede', 'aaaaaaaaa2', '--by', 'aaaaaaaaa3');
    await repository.call('redact', 'aaaaaaaaa1');
    await repository.call('retire', 'ssssssssss');
    const { ask } = await startViewer(repository);
    expect(ids(await ask<FeedPage>('feed'))).toEqual(['f1', 'a3']);
    const { items } = await ask<FeedPage>('feed?all=1');
    expect(items.map(({ id }) => id.slice(-2))).toEqual(['f1', 'ss', 'a3', 'a2', 'a1']);
    expect(items.at(3)).toMatchObject({ superseded_by: ['aaaaaaaaa3'] });
    expect(items.at(4)).toMatchObject({ title: '(redacted)', excerpt: '', files: [], concepts: [], redacted: true });
    expect(await ask<FeedPage>('feed?kind=mark')).toMatchObject({ total: 3 });
    // What stands beside a filter is what it gives.
    const { counts, types } = await ask<Meta>('meta');
    expect([counts.observation, counts.summary, types]).toEqual([2, 0, [{ name: 'discovery', count: 2 }]]);
  });

  it('knows the freshness of every record on request', async () => {
    const repository = createRepository();
    for (const name of ['a', 'b']) {
      repository.write(`${name}.txt`, 'rowLimit one\n');
      const words = ['--title', `File ${name} holds the limit`, '--narrative', 'It is called `rowLimit`.'];
      await repository.call('add', ...words, '--file-read', `${name}.txt`);
    }
    // A file that changed is fresh as long as what the record names stands there.
    repository.write('a.txt', 'rowLimit two\n');
    repository.write('b.txt', 'three\n');
    const { ask } = await startViewer(repository);
    const titles = async (query: string) => (await ask<FeedPage>(`feed?${query}`)).items.map(({ title }) => title);
    expect(await titles('freshness=fresh')).toEqual(['File a holds the limit']);
    expect(await titles('freshness=touched')).toEqual(['File b holds the limit']);
    const found = await ask<SearchAnswer>('search?q=on&freshness=touched');
    expect(found.hits.map(({ title }) => title)).toEqual([]);
  });

  it('shows the trusted file where an untrusted one claims its id', async ({ repository }) => {
    drop(repository, observationOf({ id: 'aaaaaaaaa1', title: 'Something else', generated: at(20) }));
    const { ask } = await startViewer(repository);
    const { items, total } = await ask<FeedPage>('feed');
    expect(total).toBe(5);
    expect(items.filter(({ id }) => id === 'aaaaaaaaa1').map(({ title }) => title)).toEqual([OBSERVATIONS[0]?.title]);
  });

  it('shows an edit at once', async ({ repository }) => {
    const { ask } = await startViewer(repository);
    await ask('feed');
    const [record] = OBSERVATIONS;
    if (record === undefined) throw new Error('no record');
    edit(repository, record, { ...record, narrative: 'Edited by hand.' });
    await expect
      .poll(async () => (await ask<FeedPage>('feed?type=bugfix')).items)
      .toMatchObject([{ excerpt: 'Edited by hand.', trust: 'own' }]);
  });
});

describe('search', () => {
  it('takes new marks into account at once, and labels untrusted records', async ({ repository }) => {
    const { ask } = await startViewer(repository);
    const found = async (query: string) =>
      (await ask<SearchAnswer>(`search?q=${query}`)).hits.map(({ id, trust }) => [id, trust]);
    expect(await found('imports')).toEqual([['aaaaaaaaa3', 'own']]);
    await repository.call('retire', 'aaaaaaaaa3');
    drop(repository, observationOf({ id: 'fffffffff2', title: 'Imports are slow', generated: at(15) }));
    expect(await found('imports')).toEqual([['fffffffff2', 'unreviewed']]);
  });

  it('finds what the command finds, best first', async () => {
    const { ask } = viewer();
    const answer = await ask<SearchAnswer>('search?q=dates');
    const command = JSON.parse(await repository().call('search', 'dates', '--json'));
    expect(answer.hits.map(({ id, score }) => [id, score])).toEqual(
      command.hits.map(({ id, score }: { id: string; score: number }) => [id, score]),
    );
    expect(answer).toMatchObject({ query: 'dates', total: command.total });
    expect(answer.hits[0]).toMatchObject({ title: expect.any(String), snippet: expect.any(String), trust: 'own' });
    expect((await ask<SearchAnswer>('search?q=dates&type=bugfix')).hits.map(({ id }) => id)).toEqual(['aaaaaaaaa1']);
  });

  it('finds nothing for stop words, and everything for an empty query, as the command does', async () => {
    const { ask } = viewer();
    expect(await ask<SearchAnswer>('search?q=the+of')).toMatchObject({ total: 0, hits: [] });
    expect(await ask<SearchAnswer>('search?q=')).toMatchObject({ total: 5 });
  });
});

it('shows the contents of a mark', async ({ repository }) => {
  const mark: Mark = {
    kind: 'mark',
    id: 'mmmmmmmmmm',
    generated: at(15),
    type: 'pin',
    targets: ['aaaaaaaaa1'],
    reason: 'Read first.',
  };
  put(repository, mark);
  const { ask } = await startViewer(repository);
  expect((await ask<FeedPage>('feed?kind=mark')).items).toMatchObject([
    { kind: 'mark', type: 'pin', title: 'pin aaaaaaaaa1', excerpt: 'Read first.' },
  ]);
});

it('sends open pages the changes, and the new revision', async ({ repository }) => {
  const { ask, port, cookie } = await startViewer(repository);
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { signal } = controller;
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { cookie }, signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { id } = JSON.parse(await repository.call('pin', 'aaaaaaaaa1', '--json'));
  let text = '';
  while (!/event: change\ndata: .*\n\n/.test(text)) text += (await reader?.read())?.value ?? '';
  const data: ChangeEvent = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '');
  expect(data).toEqual({ revision: (await ask<Meta>('meta')).revision, added: [id], edited: [], removed: [] });
});
