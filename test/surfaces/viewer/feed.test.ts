import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { CHROMIUM, openViewer, painted, violationsOf } from '../../support/browser.ts';
import { remember } from '../../support/command.ts';
import { generatedObservation } from '../../support/generated-records.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { type AtEnd, forAllTests } from '../../support/set-up.ts';
import { startProgram, startViewer } from '../../support/viewer-client.ts';
import { drop, observationOf, put } from '../../support/written-records.ts';

/** A repository whose memory holds generated records, the last of them the newest. */
function filled(count: number, atEnd?: AtEnd): TestRepository {
  const repository = createRepository('repository', atEnd);
  remember(
    repository,
    Array.from({ length: count }, (_, i) => generatedObservation(i)),
  );
  return repository;
}

const titleOf = (i: number) => generatedObservation(i).title;
const titles = (page: Page) => page.locator('[role=feed] h3');
const countOf = (page: Page, selector = '*') => page.locator(selector).count();
// In the page's own words: the tests are compiled without the types of a browser.
const inPage = <T>(page: Page, expression: string) => page.evaluate<T>(expression);
const scrolled = (page: Page) => inPage<number>(page, 'scrollY');

/** Waits until the records around the window have come and are drawn, down to its lower edge, and nothing moves any more. */
async function settled(page: Page): Promise<void> {
  let before = '';
  await expect
    .poll(async () => {
      await painted(page);
      const { isDrawn, places } = await inPage<{ isDrawn: boolean; places: string }>(
        page,
        `(() => {
          const rows = [...document.querySelectorAll('[role=feed] article')];
          const boxes = rows.map((row) => row.getBoundingClientRect());
          const last = rows.at(-1);
          const isEnd = last?.ariaPosInSet === last?.ariaSetSize;
          return {
            isDrawn: document.querySelector('article[aria-busy]') === null &&
              boxes.some(({ top }) => top <= innerHeight / 2) && (isEnd || boxes.some(({ bottom }) => bottom >= innerHeight)),
            places: [scrollY, document.documentElement.scrollHeight, ...boxes.map(({ top }) => top)].join(),
          };
        })()`,
      );
      const isStill = places === before;
      before = places;
      return isDrawn && isStill;
    })
    .toBe(true);
}

describe.skipIf(CHROMIUM === undefined)('the feed', () => {
  const sixty = forAllTests((atEnd) => startViewer(filled(60, atEnd), atEnd));
  const zebra = forAllTests((atEnd) => {
    const repository = filled(40, atEnd);
    put(repository, observationOf({ id: idOf('test', 'zebra'), title: 'The zebra crossing is striped' }));
    return startViewer(repository, atEnd);
  });

  it('renders thousands of records with a few elements', async () => {
    // The slowest of this file: it draws two thousand records, six windows a step, by the built program as
    // `git mem ui` starts it.
    const { page } = await openViewer(await startProgram(filled(2000)));
    await page.getByText('2,000 records').waitFor();
    let firstPages = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/feed?offset=0&')) firstPages++;
    });
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    expect(await titles(page).first().textContent()).toBe(titleOf(1999));

    const counts: number[] = [];
    for (let end = false; !end; ) {
      await inPage(page, 'scrollBy(0, innerHeight * 6)');
      end = await inPage(page, 'scrollY + innerHeight >= document.documentElement.scrollHeight - 1');
      await settled(page);
      counts.push(await countOf(page));
    }
    await page.locator('article[aria-posinset="2000"] h3').waitFor();
    expect(await titles(page).last().textContent()).toBe(titleOf(0));
    expect(await page.locator('article').last().getAttribute('aria-setsize')).toBe('2000');
    expect(Math.max(...counts)).toBeLessThan(1500);
    expect(await countOf(page, 'article')).toBeLessThan(40);

    // Twenty pages went by, of which fewer are kept: the first is read again.
    await inPage(page, 'scrollTo(0, 0)');
    await titles(page)
      .filter({ hasText: titleOf(1999) })
      .first()
      .waitFor();
    expect(firstPages).toBe(1);
  });

  it('measures its rows as equally high however far down they are', async () => {
    const { page } = await openViewer(sixty(), { place: '#/review', isOwn: true });
    // Only the first have a text; all have a place.
    await page.route('**/api/feed?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), total: 10_000 } });
    });
    await inPage(page, "location.hash = '#/feed'");
    await page.locator('article[aria-setsize="10000"]').first().waitFor();
    const length = () => inPage<string>(page, "document.querySelector('.cards').style.height");
    const atTheTop = await length();
    for (let y = 264_000; y < 300_000; y += 4000) {
      await inPage(page, `scrollTo(0, ${y})`);
      await painted(page);
      expect(await length()).toBe(atTheTop);
    }
  });

  it('fits twelve records on a screen, each on two lines, and has a badge only for what is unusual', async () => {
    const repository = filled(60);
    await repository.call('pin', generatedObservation(58).id);
    const { page } = await openViewer(repository, { viewport: { width: 1280, height: 800 } });
    await settled(page);
    const whole =
      "[...document.querySelectorAll('article')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight)";
    expect(await inPage<number>(page, `${whole}.length`)).toBeGreaterThanOrEqual(12);
    const heights = await inPage<number[]>(
      page,
      `${whole}.map((row) => row.offsetHeight - row.firstChild.scrollHeight)`,
    );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(0);
    await page.locator('article .state').first().waitFor();
    expect(await page.locator('article .state').allTextContents()).toEqual(['pinned']);
    expect(await page.locator('article .author').first().textContent()).toBe('generator');
    expect(await page.locator('article time').first().textContent()).toMatch(/^Jan 1, /);
  });

  it('counts what each filter gives, beside it', async () => {
    const { page } = await openViewer(sixty());
    const side = page.getByRole('complementary', { name: 'Narrow the list' });
    const bugfix = side.getByRole('button', { name: /^bugfix/ });
    expect(await bugfix.textContent()).toBe('bugfix 12');
    await bugfix.click();
    await page.getByText('12 records', { exact: true }).waitFor();
  });

  it('selects, verifies, retires and edits with keys, what is selected or else the current record', async () => {
    const repository = filled(5);
    const { page } = await openViewer(repository);
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    for (const key of ['j', 'x', 'j', 'x', 'v']) await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Verify 2 records' }).getByRole('textbox').press('Enter');
    await page.locator('article .state', { hasText: 'verified' }).nth(1).waitFor();
    // The selection is over with what it was for.
    await page.getByRole('group', { name: '2 selected' }).waitFor({ state: 'detached' });
    expect(await page.locator('article[aria-current=true]').getAttribute('aria-posinset')).toBe('2');
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Retire' }).getByRole('textbox').press('Enter');
    await page.getByText('4 records', { exact: true }).waitFor();
    const { records } = JSON.parse(await repository.call('show', generatedObservation(3).id, '--json'));
    expect(records[0]).toMatchObject({ retired: true, verified: true });

    await page.keyboard.press('j');
    await page.keyboard.press('e');
    const editor = page.getByRole('dialog', { name: 'Edit this record' });
    expect(await editor.getByLabel('Title').inputValue()).toBe(
      await page.locator('article[aria-current=true] h3').textContent(),
    );
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    // A pair of keys is one: its second key does nothing by itself.
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.waitForURL('**#/review');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('searches as the user types, and highlights the words', async () => {
    const { page } = await openViewer(zebra());
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('zebra');
    await page.locator('mark', { hasText: 'zebra' }).first().waitFor();
    expect(await titles(page).first().textContent()).toBe('The zebra crossing is striped');
    expect(new URL(page.url()).hash).toBe('#/feed?q=zebra');
    expect(await page.locator('.feed-state [role=status]').textContent()).toMatch(/^1 found in \d+ ms$/);

    await page.keyboard.press('Escape');
    await page.getByText('41 records').waitFor();
    expect(new URL(page.url()).hash).toBe('#/feed');
    await page.keyboard.press('Escape');
    expect(await inPage(page, 'document.activeElement.tagName')).toBe('BODY');
  });

  it('shows the answer to the last query only, and goes to what it found', async () => {
    const { page } = await openViewer(zebra());
    const answered: string[] = [];
    let answerFirst = () => {};
    const isTime = new Promise<void>((resolve) => (answerFirst = resolve));
    await page.route('**/api/search?*', async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') ?? '';
      // The first question is answered last, as it may be where it finds more.
      if (q === 'cache') await isTime;
      answered.push(q);
      // The page may have taken its question back.
      await route.continue().catch(() => {});
    });
    let isOver = false;
    const note = (request: Request) => {
      isOver ||= request.url().includes('/api/search?q=cache');
    };
    page.on('requestfinished', note).on('requestfailed', note);
    await page.getByLabel('Find records').fill('cache');
    await page.waitForRequest('**/api/search?q=cache*');
    await page.getByLabel('Find records').fill('zebra');
    await page.keyboard.press('Enter');
    await page.locator('article:focus h3', { hasText: 'The zebra crossing is striped' }).waitFor();
    answerFirst();
    await expect.poll(() => answered).toEqual(['zebra', 'cache']);
    await expect.poll(() => isOver).toBe(true);
    // A question that comes back after it: what the page makes of the first answer is made by then.
    await inPage(page, "fetch('api/meta').then((response) => response.json())");
    await painted(page);
    expect(await titles(page).allTextContents()).toEqual(['The zebra crossing is striped']);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**#/record/${idOf('test', 'zebra')}`);
  });

  it('never takes a user back who has left, even before the page learns of the new address', async () => {
    const { page } = await openViewer(sixty());
    await titles(page).first().waitFor();
    // All in one task: the browser tells of another address in the next one.
    await inPage(
      page,
      `(() => {
        const field = document.querySelector('[type=search]');
        location.hash = '#/feed?type=discovery';
        field.value = 'clock';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      })()`,
    );
    await page.getByRole('button', { name: 'Remove the filter type: discovery' }).waitFor();
    expect(page.url().split('#')[1]).toBe('/feed?type=discovery');
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('keeps filters in the address, through a reload and a step back', async () => {
    const { page } = await openViewer(sixty());
    const side = page.getByRole('complementary', { name: 'Narrow the list' });
    await side.getByRole('button', { name: 'bugfix' }).click();
    await page.getByText('12 records', { exact: true }).waitFor();
    await side.getByLabel('Concept').fill('cache');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the filter concept: cache' }).waitFor();
    const address = '#/feed?type=bugfix&concept=cache';
    expect(new URL(page.url()).hash).toBe(address);
    const fitting = Array.from({ length: 60 }, (_, i) => generatedObservation(i)).filter(
      ({ type, concepts }) => type === 'bugfix' && concepts.includes('cache'),
    );
    const narrowed = page.getByText(`${fitting.length} records`, { exact: true });
    await narrowed.waitFor();

    await page.reload();
    await narrowed.waitFor();
    expect(await side.getByRole('button', { name: 'bugfix' }).getAttribute('aria-pressed')).toBe('true');
    await titles(page).first().getByRole('link').click();
    await page.waitForURL('**#/record/**');
    await page.goBack();
    await narrowed.waitFor();
    expect(new URL(page.url()).hash).toBe(address);

    await page.getByRole('button', { name: 'Remove the filter type: bugfix' }).click();
    await page.getByRole('button', { name: 'Remove the filter concept: cache' }).click();
    await page.getByText('60 records').waitFor();
  });

  it('moves through the records with j and k, opens one, and comes back to it', async () => {
    const { page } = await openViewer(filled(400));
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    for (let i = 0; i < 31; i++) await page.keyboard.press('j');
    await page.keyboard.press('k');
    const current = page.locator('article[aria-current=true]');
    await current.locator('h3').waitFor();
    await expect.poll(() => current.getAttribute('aria-posinset')).toBe('30');
    await settled(page);
    expect(await current.evaluate((row) => row.matches(':focus'))).toBe(true);
    expect(await isInSight(page)).toBe(true);
    const offset = await scrolled(page);
    expect(offset).toBeGreaterThan(700);

    await page.keyboard.press('Enter');
    await page.waitForURL(`**#/record/${generatedObservation(370).id}`);
    await page.goBack();
    await current.locator('h3').waitFor();
    await settled(page);
    expect(await current.getAttribute('aria-posinset')).toBe('30');
    expect(Math.abs((await scrolled(page)) - offset)).toBeLessThan(3);
  });

  it('comes back to the hit that was opened, of a question that was typed', async () => {
    const { page } = await openViewer(sixty());
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    await page.getByLabel('Find records').pressSequentially('cache');
    await page.locator('article mark').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('article:focus').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('article.record h1').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('article[aria-posinset="2"]:focus').waitFor();
  });

  it('cuts off no text of a record on a phone, whatever is unusual about it', async () => {
    const repository = createRepository();
    drop(repository, observationOf({ id: idOf('test', 'stranger'), type: 'discovery', title: 'A stranger says it' }));
    const { page } = await openViewer(repository, { viewport: { width: 380, height: 800 } });
    await page.locator('article .state', { hasText: 'unreviewed' }).waitFor();
    const over = await inPage<number>(
      page,
      `(() => {
        const row = document.querySelector('article').getBoundingClientRect();
        return document.querySelector('article p').getBoundingClientRect().bottom - row.bottom;
      })()`,
    );
    expect(over).toBeLessThanOrEqual(0);
  });

  it('inserts new records at the top, and holds them back while the user is reading further down', async () => {
    const repository = filled(200);
    const { page } = await openViewer(repository);
    await page.getByText('live', { exact: true }).waitFor();
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    put(repository, { ...generatedObservation(200), title: 'The first arrival' });
    await page.locator('article[aria-posinset="1"] h3', { hasText: 'The first arrival' }).waitFor();
    await page.getByText('201 records').waitFor();

    await inPage(page, 'scrollTo(0, 3800)');
    await page.locator('article[aria-posinset="80"] h3').waitFor();
    await settled(page);
    const before = await inSight(page);
    const again = page.waitForResponse('**/api/feed?offset=1&*');
    put(repository, { ...generatedObservation(201), title: 'The second arrival' });
    const news = page.getByRole('button', { name: '1 new' });
    // What is in sight is read again, behind the one that waits.
    await Promise.all([news.waitFor(), again]);
    await settled(page);
    expect(await inSight(page)).toEqual(before);

    await news.click();
    await page.locator('article[aria-posinset="1"] h3', { hasText: 'The second arrival' }).waitFor();
    expect(await scrolled(page)).toBe(0);
  });

  it('follows changes in four tabs, and in more whenever they are shown', async () => {
    const repository = filled(1);
    const { page: first, url } = await openViewer(repository, { isOwn: true });
    const open = async (state: string) => {
      const tab = await first.context().newPage();
      await tab.goto(url);
      await tab.getByText(state, { exact: true }).waitFor();
      return tab;
    };
    await first.getByText('live', { exact: true }).waitFor();
    const three = [await open('live'), await open('live'), await open('live')];
    const more = [await open('not live'), await open('not live')];
    put(repository, observationOf({ id: idOf('test', 'one'), title: 'Said to all of them' }));
    for (const tab of [first, ...three]) await tab.getByText('Said to all of them').waitFor();
    const show = (tab: Page) => tab.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    for (const tab of more) {
      await show(tab);
      await tab.getByText('Said to all of them').waitFor();
    }
    // Where another was closed there is room again.
    await first.close();
    await expect
      .poll(async () => {
        await show(more[0] as Page);
        return more[0]?.getByText('live', { exact: true }).isVisible();
      })
      .toBe(true);
  });

  it('asks what it missed when its connection comes back', async () => {
    const repository = filled(1);
    const { page } = await openViewer(repository, { isOwn: true, mayComplain: true });
    await page.route('**/api/events', (route) => route.abort());
    await page.reload();
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByText('not live', { exact: true }).waitFor();
    put(repository, observationOf({ id: idOf('test', 'meanwhile'), title: 'Written in the meantime' }));
    await page.unrouteAll();
    await page.getByText('Written in the meantime').waitFor();
  });

  it('has a header that spans the full width', async () => {
    const { page } = await openViewer(filled(1));
    await page.locator('.top').waitFor();
    expect(await inPage(page, 'innerWidth - document.querySelector(".top").getBoundingClientRect().right')).toBe(0);
  });

  it('shows hostile titles as plain text', async () => {
    const repository = createRepository();
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(2)>',
      'safe \u202Egnp.exe',
      '](javascript:x)',
    ];
    for (const [i, title] of hostile.entries()) {
      const text = `${title} ${'long'.repeat(200)}`;
      put(repository, observationOf({ id: idOf('test', `${i}`), title, narrative: text, concepts: ['<b>x</b>'] }));
    }
    const { page } = await openViewer(repository, { viewport: { width: 360, height: 700 } });
    await page.getByText('4 records').waitFor();
    await page.locator('article[aria-posinset="4"] h3').waitFor();
    const shown = await titles(page).allTextContents();
    expect(shown).toContain('<script>alert(1)</script>');
    expect(shown.join()).not.toContain('\u202E');
    expect(await countOf(page, '#app script, #app img, #app b')).toBe(0);
    expect(await inPage(page, 'document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('says what to do when the store is empty, and offers a way out of filters that match nothing', async () => {
    const repository = createRepository();
    const { page } = await openViewer(repository);
    await page.getByText('No records yet').waitFor();
    put(repository, generatedObservation(1));
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.goto(`${page.url().split('#')[0]}#/feed?type=security`);
    await page.getByText('No record fits these filters').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText('1 record', { exact: true }).waitFor();
  });

  it('is accessible in the dark with its filters beside it', async () => {
    const { page } = await openViewer(sixty(), { place: '#/feed?type=decision', colorScheme: 'dark' });
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('collapses its filters into a dialog on a phone', async () => {
    const { page } = await openViewer(sixty(), { viewport: { width: 390, height: 800 } });
    await page.getByRole('button', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByRole('button', { name: 'decision' }).click();
    await dialog.getByRole('button', { name: 'Show the records' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove the filter type: decision' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/feed?type=decision');
  });
});

/** Titles of the records in the window, with how far from its top they are. */
function inSight(page: Page): Promise<string[]> {
  return inPage(
    page,
    `[...document.querySelectorAll('article')]
      .map((row) => ({ top: Math.round(row.getBoundingClientRect().top), title: row.querySelector('h3')?.textContent }))
      .filter(({ top }) => top > 0 && top < innerHeight)
      .map(({ top, title }) => top + ' ' + title)`,
  );
}

/** Whether the selected record is wholly in the window, below what sticks to its top. */
async function isInSight(page: Page): Promise<boolean> {
  const row = await page.locator('article[aria-current=true] .card').boundingBox();
  const bar = await page.locator('.find').boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return row !== null && bar !== null && row.y >= bar.y + bar.height - 1 && row.y + row.height <= height + 1;
}
