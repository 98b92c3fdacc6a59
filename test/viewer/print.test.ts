import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, openViewer } from '../support/browser.ts';
import { sampled } from '../support/sampled.ts';
import { forAllTests } from '../support/set-up.ts';
import { startViewer } from '../support/viewer-client.ts';
import { TOLD, viewerMemory } from '../support/viewer-memory.ts';

/** A4 without its margins, at 96 pixels an inch. */
const PAPER = { width: 688, height: 1016 };

const VIEWS: [place: string, sign: string][] = [
  ['#/feed', 'article h3'],
  ['#/feed?q=token&type=bugfix', 'article h3'],
  [`#/record/${TOLD.hero.id}`, '.chain .node'],
  [`#/record/${TOLD.argued.id}`, '.chain .node'],
  ['#/insight', '.treemap rect'],
  ['#/review', 'section[aria-label="Added"]'],
  ['#/context', '#receipt'],
  ['#/settings', 'section[aria-label="briefing"]'],
];

/** What only makes sense on a screen, as far as it would be on the paper. */
const pressable = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('header.top, main nav, button, .find, .feed-side, [type=range], [type=search]')]
      .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))`,
  );
/** What stands out at the right edge, even where something around it cuts it off. */
const cut = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('main *')]
      .filter((one) => one.checkVisibility() && !one.closest('.hidden-visually'))
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
      .slice(0, 5).map((one) => one.outerHTML.slice(0, 80))`,
  );
const colours = (page: Page) =>
  page.evaluate<{ ink: string[]; paper: string[] }>(
    `((of) => ({
      ink: of(':is(h1, h2, h3, strong):not(.type)', 'color'),
      paper: of('html, body, main, .panel, .card, .problem', 'backgroundColor'),
    }))((selector, name) => [...new Set([...document.querySelectorAll(selector)].map((one) => getComputedStyle(one)[name]))].sort())`,
  );

describe.skipIf(CHROMIUM === undefined)('on paper', () => {
  const viewer = forAllTests(async (atEnd) => startViewer(await viewerMemory(20, atEnd), atEnd));

  // One place decides both: by default one of the two ways to it.
  it.each(sampled(['of the system', 'that was chosen'], () => 'theme', Number.POSITIVE_INFINITY))(
    'every view is dark on white in the dark theme %s, without controls, and within the page edges',
    async (from) => {
      const { page, complaints } = await openViewer(viewer(), {
        place: '#/feed',
        colorScheme: from === 'of the system' ? 'dark' : 'light',
        isOwn: true,
      });
      // Pictures keep the size that the window gave them: between the screen and the paper no script runs.
      await page.addInitScript('globalThis.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} };');
      if (from === 'that was chosen') await page.evaluate('localStorage.setItem("git-mem-theme", "dark")');
      for (const [place, sign] of VIEWS) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.emulateMedia({ media: 'screen' });
        await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
        await page.reload();
        await page.locator(sign).first().waitFor();
        await page.setViewportSize(PAPER);
        await page.emulateMedia({ media: 'print' });
        const { ink, paper } = await colours(page);
        expect({ place, ink: ink.filter((one) => !DARK.includes(one)) }).toEqual({ place, ink: [] });
        expect({ place, paper: paper.filter((one) => !WHITE.includes(one)) }).toEqual({ place, paper: [] });
        expect({ place, pressable: await pressable(page) }).toEqual({ place, pressable: [] });
        expect({ place, cut: await cut(page) }).toEqual({ place, cut: [] });
      }
      expect(complaints).toEqual([]);
    },
  );

  it('prints cited files in full and every loaded record, with no empty pages after them', async () => {
    const { page } = await openViewer(viewer(), { place: '#/feed' });
    const card = page.locator('article').filter({ hasText: TOLD.hero.title });
    await card.waitFor();
    await page.emulateMedia({ media: 'print' });
    const path = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.narrow.file[title$="src/auth/clock.ts"]'), '::before').content`,
    );
    expect(path).toBe('"file: src/auth/clock.ts"');
    const drawn = await page.locator('article h3').count();
    expect(drawn).toBeGreaterThan(6);
    const pdf = await page.pdf({ format: 'A4' });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect(pages.length).toBeLessThanOrEqual(Math.ceil(drawn / 4));
    expect(await page.locator('article h3').last().isVisible()).toBe(true);
  });
});

const DARK = ['rgb(28, 30, 38)', 'rgb(85, 90, 105)', 'rgb(67, 56, 202)', 'rgb(22, 101, 52)', 'rgb(133, 77, 14)'];
const WHITE = ['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'];
