import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CHROMIUM, openViewer } from '../support/browser.ts';
import { forAllTests } from '../support/set-up.ts';
import { startViewer } from '../support/viewer-client.ts';
import { TOLD, viewerMemory } from '../support/viewer-memory.ts';

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
    const { page, complaints } = await openViewer(viewer(), { place: '#/context' });
    await receipt(page, 'in').first().waitFor();
    const text = await page.locator('.injected').textContent();
    expect(text?.trim()).toBe(JSON.parse(await repository().call('context', '--json')).text.trim());
    const out = await receipt(page, 'out').allTextContents();
    expect(out).toContain(`out${TOLD.strange.title}unreviewed`);
    expect(complaints).toEqual([]);
  });

  it('follows the sliders, and saves the tried values as settings of the user', async () => {
    const changed = await viewerMemory();
    const { page } = await openViewer(changed, { place: '#/context' });
    await receipt(page, 'in').first().waitFor();
    const before = await receipt(page, 'in').count();
    await budget(page).fill('300');
    await page.getByText('300, tried').waitFor();
    await expect.poll(() => receipt(page, 'in').count()).toBeLessThan(before);
    expect(new URL(page.url()).hash).toBe('#/context?tokens=300');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('1,000, as in the settings').waitFor();
    await expect.poll(() => receipt(page, 'in').count()).toBe(before);

    await budget(page).fill('350');
    await page.getByRole('button', { name: 'Save as my setting' }).click();
    await page.getByText('350, as in the settings').waitFor();
    expect(JSON.parse(await changed.call('config', 'briefing.tokens', '--json'))).toMatchObject({
      value: 350,
      origin: 'user',
    });
    expect(readFileSync(join(changed.folder, 'home/.config/git-mem/config.yaml'), 'utf8')).toContain('350');
  });
});
