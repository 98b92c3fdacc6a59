import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, openPage, openViewer } from '../../support/browser.ts';
import { forAllTests } from '../../support/set-up.ts';
import { FULL } from '../../support/trials.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { TOLD, viewerMemory } from '../../support/viewer-memory.ts';

/** Where somebody goes, one page after the other, and the last thing that comes there. */
const WALK: [place: string, sign: string, needsServer?: true][] = [
  ['#/feed', 'article h3'],
  [`#/record/${TOLD.hero.id}`, '[aria-label="What replaced what"] li'],
  [`#/record/${TOLD.left.id}`, '[aria-label="What replaced what"] li'],
  ['#/feed?since=2026-11', 'article h3'],
  [`#/record/${TOLD.right.id}`, 'article.record h1'],
  ['#/review', 'section[aria-label="Added"]', true],
  ['#/context', '#receipt', true],
  ['#/feed?q=token&type=bugfix', 'article mark'],
  [`#/record/${TOLD.hero.id}`, '[aria-label="What replaced what"] li'],
  ['#/feed', 'article h3'],
];

/** Notes what jumps that nobody moved, from the first frame on. */
const NOTING = `
  globalThis.jumps = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '?').slice(0, 100));
      if (!hadRecentInput) jumps.push({ place: location.hash, value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Walks, and gives what jumped on the way; a place is left when it was painted. */
async function jumpsOn(page: Page, walk: typeof WALK): Promise<unknown[]> {
  await page.evaluate(NOTING);
  for (const [place, sign] of walk) {
    await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
    await page.locator(sign).first().waitFor();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  // What was noted is told a moment after the frame.
  await page.evaluate('new Promise((done) => requestIdleCallback(() => setTimeout(done)))');
  return page.evaluate<unknown[]>('jumps');
}

const WIDTHS = [1280, 390];
/** The viewer and the site share their pages: by default each shows one width. */
const [IN_VIEWER, IN_SITE] = FULL ? [WIDTHS, WIDTHS] : [[390], [1280]];

describe.skipIf(CHROMIUM === undefined)('the layout does not shift', () => {
  const repository = forAllTests((atEnd) => viewerMemory(60, atEnd));
  const viewer = forAllTests((atEnd) => startViewer(repository(), atEnd));
  const site = forAllTests(async () => {
    const folder = join(repository().folder, 'site');
    await repository().call('site', '--out', folder);
    return pathToFileURL(join(folder, 'index.html')).href;
  });

  it.each(IN_VIEWER)('in the viewer at %i pixels, from the first frame and from page to page', async (width) => {
    const { page } = await openViewer(viewer(), { viewport: { width, height: 800 } });
    expect(await jumpsOn(page, WALK)).toEqual([]);
  });

  it.each(IN_SITE)('in a static site at %i pixels', async (width) => {
    const { page } = await openPage(`${site()}#/feed`, { viewport: { width, height: 800 } });
    const walk = WALK.filter(([, , needsServer]) => !needsServer);
    expect(await jumpsOn(page, walk)).toEqual([]);
  });
});
