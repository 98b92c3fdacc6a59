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
const budget = (page: Page) => page.getByLabel('Budget in tokens');

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
  });

  it('follows the sliders', async () => {
    const changed = await viewerMemory();
    const { page } = await openViewer(changed, { place: '#/context' });
    await receipt(page, 'in').first().waitFor();
    const before = await receipt(page, 'in').count();
    await budget(page).fill('150');
    await page.getByText('150, tried').waitFor();
    await expect.poll(() => receipt(page, 'in').count()).toBeLessThan(before);
    expect(new URL(page.url()).hash).toBe('#/context?tokens=150');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('1,000, as in the settings').waitFor();
    await expect.poll(() => receipt(page, 'in').count()).toBe(before);
  });
});
