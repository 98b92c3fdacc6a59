import { describe, expect, it } from 'vitest';
import { CHROMIUM, openViewer, violationsOf } from '../../support/browser.ts';
import { sampled } from '../../support/sampled.ts';
import { forAllTests } from '../../support/set-up.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { TOLD, viewerMemory } from '../../support/viewer-memory.ts';

/** Every view, and the words that say that it is there. */
const VIEWS: [place: string, sign: string][] = [
  ['#/feed', 'article h3'],
  ['#/feed?q=token', 'article h3'],
  ['#/feed?type=decision', 'role=button[name="Remove the filter type: decision"]'],
  [`#/record/${TOLD.hero.id}`, 'article h1'],
  ['#/review', 'h1'],
  ['#/context', '#receipt'],
];

const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 390 },
] as const;
/** By default each theme and each width once. */
const TRIED = sampled([...LOOKS], ({ width }) => `${width}`);

describe.skipIf(CHROMIUM === undefined)('every view', () => {
  const viewer = forAllTests(async (atEnd) => startViewer(await viewerMemory(20, atEnd), atEnd));

  it.each(TRIED)('is accessible, in $colorScheme at $width pixels (WCAG 2.2 AA)', async (look) => {
    const { colorScheme, width } = look;
    const { page } = await openViewer(viewer(), {
      place: '#/feed',
      colorScheme,
      viewport: { width, height: 900 },
    });
    for (const [place, sign] of VIEWS) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page.locator(sign).first().waitFor();
      expect({ place, violations: await violationsOf(page) }).toEqual({ place, violations: [] });
      const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
      expect({ place, fits }).toEqual({ place, fits: true });
    }
  });
});
