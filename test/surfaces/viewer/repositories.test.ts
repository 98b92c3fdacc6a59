import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FeedPage, Meta, SearchAnswer } from '../../../src/surfaces/viewer/protocol.ts';
import type { RecordPage } from '../../../src/surfaces/viewer/record-protocol.ts';
import { CHROMIUM, openViewer, violationsOf } from '../../support/browser.ts';
import { gitMem } from '../../support/command-line.ts';
import { note } from '../../support/prepared-repository.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';
import { startProgram, startViewerOfAll } from '../../support/viewer-client.ts';
import { drop, observationOf } from '../../support/written-records.ts';

const PROXY = observationOf({
  id: 'k3v9x2qd7m',
  type: 'bugfix',
  title: 'The proxy drops connections that idle for 60 seconds',
  narrative: 'Keep-alive of the proxy is shorter than that of the pool.',
  generated: { by: 'claude-code/2.1.0', at: '2026-11-03T08:00:00.000Z' },
});
const BATCH = observationOf({
  id: 'm8c4r7t2wp',
  type: 'decision',
  title: 'The importer sends rows in batches of 500',
  narrative: 'More than that and the proxy answers 413.',
  generated: { by: 'claude-code/2.1.0', at: '2026-11-05T08:00:00.000Z' },
});

/** Three repositories of one user, the first two with the records; `archive` is gone, and `platform` cloned twice. */
function setUp(atEnd?: AtEnd): TestRepository[] {
  const made = ['platform', 'importer', 'archive', 'twin'].map((name) => createRepository(name, atEnd));
  const env = made[0]?.env ?? {};
  const all = made.map((one): TestRepository => ({ ...one, env }));
  for (const [i, one] of all.entries()) note(one, new Date(Date.UTC(2026, 10, 1 + i)));
  const [platform, importer, archive, twin] = all as [TestRepository, TestRepository, TestRepository, TestRepository];
  for (const [one, record] of [
    [platform, PROXY],
    [importer, BATCH],
    [twin, PROXY],
  ] as const) {
    one.git('add', '--all', '--', '.memory', drop(one, record));
    one.git('commit', '--quiet', '-m', 'memory');
  }
  renameSync(join(archive.root, '.memory'), join(archive.root, 'elsewhere'));
  return all;
}

const titlesOf = ({ items }: FeedPage) => items.map(({ repository, title }) => `${repository}: ${title}`);

describe('the viewer of several repositories', () => {
  const viewer = forAllTests((atEnd) => {
    const [platform] = setUp(atEnd);
    return startViewerOfAll(platform?.env ?? {}, atEnd);
  });

  it('lists all records together, one that is cloned twice once', async () => {
    const feed = await viewer().ask<FeedPage>('feed');
    expect(titlesOf(feed)).toEqual([`importer: ${BATCH.title}`, `platform: ${PROXY.title}`]);
    expect(feed.total).toBe(2);
    expect(titlesOf(await viewer().ask<FeedPage>('feed?type=bugfix'))).toEqual([`platform: ${PROXY.title}`]);
    expect(titlesOf(await viewer().ask<FeedPage>('feed?offset=1&limit=1'))).toEqual([`platform: ${PROXY.title}`]);
  });

  it('finds in all, and says where', async () => {
    const { hits, total } = await viewer().ask<SearchAnswer>('search?q=proxy');
    expect(hits.map(({ id, repository }) => [id, repository])).toEqual([
      [PROXY.id, 'platform'],
      [BATCH.id, 'importer'],
    ]);
    expect(total).toBe(2);
  });

  it('names them all, and those that are gone', async () => {
    const { repository, repositories = [], counts, types } = await viewer().ask<Meta>('meta');
    expect(repository).toBe('All repositories');
    expect(counts.observation).toBe(2);
    expect(types.map(({ name, count }) => `${name} ${count}`).sort()).toEqual(['bugfix 1', 'decision 1']);
    expect(repositories.map(({ name, gone, problem }) => [name, gone, problem === null])).toEqual([
      ['archive', true, false],
      ['importer', false, true],
      ['platform', false, true],
      ['twin', false, true],
    ]);
    expect(repositories[0]?.problem).toMatch(/^archive is gone: .* has no memory\. Delete .*\.json to end this note\./);
    const gone = await viewer().ask<Meta>('meta?repository=archive');
    expect(gone).toMatchObject({ repository: 'archive', counts: { observation: 0 } });
    expect(await viewer().refused('feed?repository=archive')).toMatchObject({ status: 400, code: 'bad-input' });
  });

  it('answers about one as a viewer of it would', async () => {
    expect((await viewer().ask<FeedPage>('feed?repository=importer')).items.map(({ id }) => id)).toEqual([BATCH.id]);
    const { card } = await viewer().ask<RecordPage>(`record/${PROXY.id}?repository=platform`);
    expect(card.title).toBe(PROXY.title);
    expect(await viewer().refused(`record/${PROXY.id}?repository=importer`)).toMatchObject({ status: 404 });
    for (const path of [`record/${PROXY.id}`, 'review', 'context', 'feed?repository=nobody']) {
      expect(await viewer().refused(path)).toMatchObject({ status: 400, code: 'bad-input' });
    }
  });
});

describe('a viewer of several repositories that change', () => {
  it('writes to the one that is named, and to no other', async () => {
    const [platform, importer] = setUp() as [TestRepository, TestRepository];
    const viewer = await startViewerOfAll(platform.env);
    const pin = { action: 'pin', ids: [BATCH.id], reason: 'asked often' };
    expect((await viewer.post('act', pin)).status).toBe(400);
    expect((await viewer.post('act?repository=platform', pin)).status).toBe(404);
    expect((await viewer.post('act?repository=importer', pin)).status).toBe(200);
    expect(importer.git('status', '--porcelain', '-uall')).toMatch(/^\?\? \.memory\/marks\//m);
    expect(platform.git('status', '--porcelain', '-uall')).not.toContain('marks');
  });

  it('goes on without one that is deleted, and with it when it is back', async () => {
    const [platform, importer] = setUp() as [TestRepository, TestRepository];
    const viewer = await startViewerOfAll(platform.env);
    const away = `${importer.root}-away`;
    renameSync(importer.root, away);
    expect(titlesOf(await viewer.ask<FeedPage>('feed'))).toEqual([`platform: ${PROXY.title}`]);
    expect((await viewer.ask<SearchAnswer>('search?q=proxy')).hits.map(({ id }) => id)).toEqual([PROXY.id]);
    const { repositories = [] } = await viewer.ask<Meta>('meta');
    expect(repositories.filter(({ gone }) => gone).map(({ name }) => name)).toEqual(['archive', 'importer']);
    renameSync(away, importer.root);
    expect((await viewer.ask<FeedPage>('feed')).total).toBe(2);
  });

  it('shows what was copied into the personal store where it came from', async () => {
    const [platform] = setUp() as [TestRepository];
    await gitMem(platform, ['personal', 'init']);
    await gitMem(platform, ['promote', PROXY.id, '--to', 'personal']);
    const viewer = await startViewerOfAll(platform.env);
    expect(titlesOf(await viewer.ask<FeedPage>('feed?type=bugfix'))).toEqual([`platform: ${PROXY.title}`]);
    const { hits } = await viewer.ask<SearchAnswer>('search?q=proxy%20drops');
    expect(hits.find(({ id }) => id === PROXY.id)?.repository).toBe('platform');
  });

  it('opens the others when one cannot be read', async () => {
    const [platform, importer] = setUp() as [TestRepository, TestRepository];
    rmSync(join(importer.root, '.memory'), { recursive: true });
    writeFileSync(join(importer.root, '.memory'), '');
    const viewer = await startViewerOfAll(platform.env);
    const { repositories = [] } = await viewer.ask<Meta>('meta');
    expect(repositories.find(({ name }) => name === 'importer')?.problem).toMatch(/^importer cannot be read: /);
    expect((await viewer.ask<FeedPage>('feed')).items.map(({ id }) => id)).toEqual([PROXY.id]);
  });
});

it('git mem ui --all serves all repositories from anywhere, and says how to get one', async () => {
  const [platform] = setUp() as [TestRepository];
  const nowhere = { ...platform, root: platform.env.HOME ?? '' };
  const viewer = await startProgram(nowhere, ['--all']);
  expect((await viewer.ask<FeedPage>('feed')).total).toBe(2);
  const stranger = createRepository('stranger');
  const { code, stderr } = await gitMem(stranger, ['ui', '--all', '--no-open']);
  expect(code).toBe(1);
  expect(stderr).toContain('No repository of yours has a memory yet.');
  expect(stderr).toContain('git mem init');
});

describe.skipIf(CHROMIUM === undefined)('the pages of several repositories', () => {
  const viewer = forAllTests((atEnd) => {
    const [platform] = setUp(atEnd);
    return startViewerOfAll(platform?.env ?? {}, atEnd);
  });

  it('leads from all to one record of one repository, and back', async () => {
    const { page } = await openViewer(viewer());
    const cards = page.getByRole('feed').getByRole('article');
    await page.getByText('2 records', { exact: true }).waitFor();
    expect(await cards.locator('.repository').allTextContents()).toEqual(['importer', 'platform']);
    expect(await violationsOf(page)).toEqual([]);
    await cards.getByRole('link', { name: PROXY.title }).click();
    await page.getByRole('heading', { level: 1, name: PROXY.title }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/record/${PROXY.id}?repository=platform`);
    await page.getByRole('button', { name: 'pin' }).waitFor();
    const choice = page.getByRole('combobox', { name: 'Repository' });
    expect(await choice.inputValue()).toBe('platform');
    await page.goBack();
    await page.getByText('2 records', { exact: true }).waitFor();
    expect(await choice.inputValue()).toBe('');
  });

  it('narrows every page to the chosen repository, and says which are gone', async () => {
    const { page } = await openViewer(viewer());
    const choice = page.getByRole('combobox', { name: 'Repository' });
    await choice.waitFor();
    expect(await choice.getByRole('option').allTextContents()).toEqual([
      'All repositories',
      'archive (gone)',
      'importer',
      'platform',
      'twin',
    ]);
    await choice.selectOption('importer');
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/review?repository=importer');
    await choice.selectOption('archive');
    await page.getByText('archive is gone').waitFor();
    await choice.selectOption('');
    await page.getByRole('heading', { name: 'Which repository?' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('asks which one where a page is of one alone', async () => {
    const { page } = await openViewer(viewer(), { place: '#/context' });
    await page.getByRole('heading', { name: 'Which repository?' }).waitFor();
    expect(await page.getByRole('button', { name: 'New record' }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'platform' }).click();
    await page.getByRole('heading', { name: 'What the next session will get', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'New record' }).waitFor();
  });
});
