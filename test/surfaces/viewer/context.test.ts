import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, openViewer } from '../../support/browser.ts';
import { forAllTests } from '../../support/set-up.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { TOLD, viewerMemory } from '../../support/viewer-memory.ts';

const receipt = (page: Page, sign: 'in' | 'out') =>
  page
    .getByRole('region', { name: 'The receipt' })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${sign}`) });

describe.skipIf(CHROMIUM === undefined)('the next session', () => {
  const repository = forAllTests((atEnd) => viewerMemory(20, atEnd));
  const viewer = forAllTests((atEnd) => startViewer(repository(), atEnd));

  it('shows the exact text that is injected into a session, and why each record is in or out', async () => {
    // What a start does not wait for, the commits of records, is known from here on.
    await repository().call('list');
    const { page } = await openViewer(viewer(), { place: '#/context' });
    await receipt(page, 'in').first().waitFor();
    const text = await page.locator('.injected').textContent();
    expect(text?.trim()).toBe(JSON.parse(await repository().call('context', '--json')).text.trim());
    const out = await receipt(page, 'out').allTextContents();
    expect(out).toContain(`out${TOLD.strange.title}unreviewed`);
    // On a phone a title has most of the width: what is said about it stands below.
    await page.setViewportSize({ width: 380, height: 800 });
    const widths = await receipt(page, 'in').evaluateAll((rows) =>
      rows.map((row) => (row.children[1]?.clientWidth ?? 0) / row.clientWidth),
    );
    expect(Math.min(...widths)).toBeGreaterThan(0.7);
  });
});
