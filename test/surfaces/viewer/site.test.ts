import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { CHROMIUM, openPage } from '../../support/browser.ts';
import { generatedObservation } from '../../support/generated-records.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';
import { drop, observationOf, put, summaryOf } from '../../support/written-records.ts';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script></script><!--';
const id = (name: string) => idOf('site', name);

/** A repository with records of every fate. */
function leasing(atEnd: AtEnd): TestRepository {
  const repository = createRepository('widgets', atEnd);
  repository.write('src/lease.ts', 'export {};\n');
  for (let i = 0; i < 40; i++) put(repository, generatedObservation(i));
  const base = { type: 'decision', session: 'site-session' };
  put(
    repository,
    observationOf({ ...base, id: id('old'), title: 'Leases last ten seconds', facts: ['The first limit.'] }),
  );
  put(
    repository,
    observationOf({
      ...base,
      id: id('new'),
      title: 'Leases last a minute',
      supersedes: [id('old')],
      concepts: ['leasing'],
      files_modified: ['src/lease.ts'],
      anchors: { 'src/lease.ts': '0'.repeat(40) },
      narrative: 'Ten seconds were too few for the nightly export.',
      facts: ['A **bold** fact.'],
      generated: { by: 'test', at: '2026-11-21T09:00:00Z' },
    }),
  );
  put(
    repository,
    observationOf({
      ...base,
      id: id('hostile'),
      title: `Hostile ${HOSTILE}`,
      concepts: [HOSTILE],
      branch: HOSTILE,
      narrative: `${HOSTILE} [go](javascript:alert(3)) ![see](https://example.com/pixel.png)`,
      facts: [HOSTILE],
      generated: { by: 'test', at: '2026-11-21T10:00:00Z' },
    }),
  );
  put(repository, summaryOf({ id: id('summary'), title: 'Leasing settled', session: 'site-session' }));
  repository.commit('Leases (#42)');
  return repository;
}

const repository = forAllTests(leasing);
const site = forAllTests(() => published('site'));

/** Publishes its site into a folder beside it, and gives the one file. */
async function published(name: string): Promise<string> {
  const folder = join(repository().folder, name);
  await repository().call('site', '--out', folder);
  return join(folder, 'index.html');
}

/** The site of a repository that renamed and edited two files, of which a record cites one. */
async function publishedRenamed(): Promise<string> {
  const repository = createRepository();
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
  for (const path of ['src/old.ts', 'src/other.ts']) repository.write(path, `${path}\n${lines}\n`);
  put(repository, observationOf({ id: id('cites'), title: 'What old does', files_read: ['src/old.ts'] }));
  put(repository, observationOf({ id: id('silent'), title: 'What nothing does' }));
  repository.commit('Two files');
  for (const [path, now] of [
    ['src/old.ts', 'src/new.ts'],
    ['src/other.ts', 'src/further.ts'],
  ] as const) {
    repository.git('mv', path, now);
    repository.write(now, `${path}\n${lines}\nedited\n`);
  }
  repository.git('commit', '--quiet', '--all', '-m', 'Renamed');
  const folder = join(repository.folder, 'site');
  await repository.call('site', '--out', folder);
  return join(folder, 'index.html');
}

/** The JSON inside a page. */
function dataIn(file: string): string {
  const [, packed = ''] =
    /<script type="application\/octet-stream" id="data">([^<]*)</.exec(readFileSync(file, 'utf8')) ?? [];
  return gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
}

const titles = (page: Page) => page.locator('article h3');

describe('the contents of a site', () => {
  it('exclude private, unreviewed and redacted records, and secrets', async () => {
    const repository = createRepository();
    const secret = ['ghp', 'Zx81mQpTb4VwKc9LrYd2NfHs6JgAe3Uu0Oi7'].join('_');
    const record = (name: string, words: string) =>
      observationOf({
        id: id(name),
        title: `About ${words}`,
        narrative: `${words} it is.`,
        facts: [words],
        concepts: [words],
      });
    put(repository, record('kept', 'plainwords'));
    put(repository, record('hidden', 'takenback'));
    put(repository, observationOf({ id: id('leaky'), title: 'The deployment', narrative: `It used ${secret} then.` }));
    repository.commit('Memory');
    drop(repository, record('foreign', 'strangerwords'));
    put(repository, record('own', 'privatewords'), 'private');
    await repository.call('redact', id('hidden'));
    await repository.call('pin', id('kept'), '--reason', 'teamreason');
    const folder = join(repository.folder, 'out');
    await repository.call('site', '--out', folder);
    const data = dataIn(join(folder, 'index.html'));
    expect(data).toContain('plainwords');
    expect(data).toContain('teamreason');
    expect(data).toContain('(redacted)');
    expect(data).toContain('[redacted:');
    const never = ['takenback', 'strangerwords', 'privatewords', secret, repository.root, repository.folder];
    for (const words of never) expect(data).not.toContain(words);
  });

  it('are the same bytes for the same memory at the same commit', async () => {
    expect(readFileSync(await published('again')).equals(readFileSync(site()))).toBe(true);
  });

  it('show files, commits and pull requests as the viewer does', () => {
    const { records, meta } = JSON.parse(dataIn(site()));
    const found = records.find(({ card }: { card: { id: string } }) => card.id === id('new'));
    expect(found.files).toMatchObject([{ path: 'src/lease.ts', freshness: 'fresh' }]);
    expect(found.provenance.recorded).toMatchObject({ subject: 'Leases (#42)', author: 'Test', with_change: true });
    expect(meta).toMatchObject({ repository: 'widgets', live: false, at: '2026-11-21T10:00:00Z' });
  });

  it('link files and commits to the code host, where the remote names one', async () => {
    repository().git('remote', 'add', 'origin', 'https://user:word@github.com/team/widgets.git');
    onTestFinished(() => void repository().git('remote', 'remove', 'origin'));
    const { records } = JSON.parse(dataIn(await published('linked')));
    const { files, provenance } = records.find(({ card }: { card: { id: string } }) => card.id === id('new'));
    const head = repository().git('rev-parse', 'HEAD').trim();
    expect(files[0].url).toBe(`https://github.com/team/widgets/blob/${head}/src/lease.ts`);
    expect(provenance.recorded.url).toBe(`https://github.com/team/widgets/commit/${head}`);
  });

  it('include the current names of renamed files that a record cites', async () => {
    const { renames } = JSON.parse(dataIn(await publishedRenamed()));
    expect(renames).toEqual([['src/old.ts', 'src/new.ts']]);
  });
});

describe.skipIf(CHROMIUM === undefined)('a site in a browser', () => {
  async function servedBy(file: string): Promise<string> {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/team/index.html`;
  }

  it.each(['a file', 'a web server'])(
    'searches, filters and shows records from %s, and makes no other requests',
    async (from) => {
      const url = from === 'a file' ? `file://${site()}` : await servedBy(site());
      const { page, requests } = await openPage(url);
      await page.getByText('43 records').first().waitFor();
      expect(await page.locator('header nav a').allTextContents()).toEqual(['Feed']);

      await page.keyboard.press('/');
      await page.keyboard.type('nightly export');
      await expect.poll(() => titles(page).first().textContent()).toBe('Leases last a minute');
      await page.goto(`${url}#/feed?concept=leasing`);
      await expect.poll(() => titles(page).allTextContents()).toEqual(['Leases last a minute']);

      await page.goto(`${url}#/record/${id('new')}`);
      await page.getByText('What replaced what').waitFor();
      await page.getByText('Leases last ten seconds').first().waitFor();
      expect(await page.locator('.record strong').first().textContent()).toBe('bold');
      expect(await page.getByRole('button', { name: 'Retire' }).count()).toBe(0);
      expect(await page.getByText('#42').count()).toBeGreaterThan(0);
      expect(requests.filter((one) => !one.startsWith('data:'))).toEqual([url]);
    },
  );

  it('finds the records of a renamed file by either name', async () => {
    const url = `file://${await publishedRenamed()}`;
    const { page } = await openPage(`${url}#/feed?file=src/new.ts`);
    await expect.poll(() => titles(page).allTextContents()).toEqual(['What old does']);
    await page.goto(`${url}#/feed?file=src/old.ts`);
    await expect.poll(() => titles(page).allTextContents()).toEqual(['What old does']);
    await page.goto(`${url}#/feed?file=src/further.ts`);
    await expect.poll(() => titles(page).count()).toBe(0);
  });

  it('renders record text inert', async () => {
    const file = await published('hostile');
    const { page, requests } = await openPage(`file://${file}#/record/${id('hostile')}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Hostile ${HOSTILE}`);
    await page.goto(`file://${file}#/feed?q=hostile`);
    await titles(page).first().waitFor();
    expect(await page.locator('img, main script, a[href^="javascript"]').count()).toBe(0);
    expect(requests.filter((one) => !one.startsWith('data:'))).toHaveLength(1);
  });
});
