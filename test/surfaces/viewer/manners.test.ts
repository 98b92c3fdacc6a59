import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { CHROMIUM, openViewer } from '../../support/browser.ts';
import { forAllTests } from '../../support/set-up.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { TOLD, viewerMemory } from '../../support/viewer-memory.ts';
import { observationOf, put } from '../../support/written-records.ts';

const HERO = `#/record/${TOLD.hero.id}`;
const background = (page: Page) => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
/** How many pixels of the menu, and of the repository's name, are not shown. */
const [HIDDEN, CUT] = ['.top nav', '.brand-name'].map(
  (part) => `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('${part}'))`,
) as [string, string];

describe.skipIf(CHROMIUM === undefined)('the viewer', () => {
  const viewer = forAllTests(async (atEnd) => startViewer(await viewerMemory(0, atEnd), atEnd));

  it('follows the theme of the system, and leaves no token in its address', async () => {
    const { page } = await openViewer(viewer(), { colorScheme: 'light' });
    await expect.poll(() => background(page)).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => background(page)).toBe('rgb(19, 20, 24)');
    await expect.poll(() => page.url()).not.toContain('token');
  });

  it('has every page in its menu at any width, the current one in sight', async () => {
    const repository = await viewerMemory(0);
    repository.env.GIT_MEM_CAPTURE_DESTINATION = 'inbox';
    const { page } = await openViewer(repository, { place: '#/review' });
    const current = page.getByRole('link', { name: 'Review' });
    await current.waitFor();
    for (const width of [320, 375, 600, 721, 800, 1001, 1101, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      await page.reload();
      await expect.poll(() => current.boundingBox().then((box) => box && box.x + box.width <= width)).toBe(true);
      if (width >= 600) expect(await page.evaluate<number>(HIDDEN), `${width}`).toBe(0);
      if (width >= 375) expect(await page.evaluate<number>(CUT), `${width}`).toBe(0);
    }
  });

  it('aligns lists of right-to-left text with that text', async () => {
    const repository = await viewerMemory(0);
    const text = 'تم إصلاح الخطأ.\n\n- أولا\n- ثانيا';
    put(repository, observationOf({ id: idOf('viewer', 'rtl'), title: 'السبب هو الترميز', narrative: text }));
    const { page } = await openViewer(repository, { place: `#/record/${idOf('viewer', 'rtl')}` });
    const [line, item] = await Promise.all(
      ['p', 'li'].map((tag) => page.locator(`.markdown ${tag}`).first().boundingBox()),
    );
    expect((line?.x ?? 0) + (line?.width ?? 0) - (item?.x ?? 0) - (item?.width ?? 0)).toBeGreaterThan(15);
  });

  it('formats dates and numbers in the browser’s language', async () => {
    const { page } = await openViewer(viewer(), { place: HERO, locale: 'de-DE' });
    await page.getByText(/18\.11\.2026, 12:05/).waitFor();
    await page.getByText('4.200 to find out').waitFor();
  });
});
