import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/memory/id.ts';
import { CHROMIUM, openViewer } from '../../support/browser.ts';
import { TOLD, viewerMemory } from '../../support/viewer-memory.ts';
import { drop, observationOf } from '../../support/written-records.ts';

/** What the focus is on, by its role's name: never the page as a whole. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `(({ tagName, id, classList, ariaLabel, textContent }) =>
      tagName === 'BODY' ? 'nothing' : ariaLabel || (id && '#' + id) || textContent.trim())(document.activeElement)`,
  );
const press = async (page: Page, name: string) => {
  const button = page.getByRole('button', { name, exact: true }).first();
  await button.focus();
  await page.keyboard.press('Enter');
};
const said = (page: Page, words: string) => page.locator('.toasts[aria-live=polite]').getByText(words).waitFor();

describe.skipIf(CHROMIUM === undefined)('the focus', () => {
  it('stays among a record’s actions when the one just used disappears, and every action is announced', async () => {
    const { page } = await openViewer(await viewerMemory(0), { place: `#/record/${TOLD.left.id}` });
    const actions = page.getByRole('region', { name: 'What to do with this record' });
    for (const [name, words] of [
      ['Pin…', 'Pinned.'],
      ['Retire…', 'Retired.'],
    ] as const) {
      await press(page, name);
      await page.getByRole('dialog').getByRole('textbox').fill('For a test.');
      await page.keyboard.press('Enter');
      await said(page, words);
      await actions.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe('What to do with this record');
    }
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Edit…');

    await press(page, 'Undo marks');
    await said(page, 'Its marks are taken back.');
    await actions.getByRole('button', { name: 'Pin…' }).waitFor();
    await expect.poll(() => focused(page)).not.toBe('nothing');
    // The word itself goes with its button: the focus goes back to where it was on the page.
    await press(page, 'Verify…');
    await page.getByRole('dialog').getByRole('textbox').press('Enter');
    await said(page, 'Verified.');
    await actions.getByRole('button', { name: 'Verify…' }).waitFor({ state: 'detached' });
    await page.locator('.toast', { hasText: 'Verified.' }).getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await actions.getByRole('button', { name: 'Verify…' }).waitFor();
    await expect.poll(() => focused(page)).toBe('What to do with this record');
  });

  it('stays on the finding in a review, and on the review when everything is trusted', async () => {
    const repository = await viewerMemory(0);
    drop(repository, observationOf({ id: idOf('focus', 'second'), title: 'Another one', narrative: 'More.' }));
    const { page } = await openViewer(repository, { place: '#/review' });
    const row = page.getByRole('region', { name: 'Added' }).getByRole('listitem').filter({ hasText: 'Another one' });
    await row.getByRole('button', { name: 'Trust', exact: true }).focus();
    await page.keyboard.press('Enter');
    await said(page, 'Trusted on this clone.');
    await row.getByText('unreviewed').waitFor({ state: 'detached' });
    await expect.poll(() => row.evaluate((one) => one.matches(':focus'))).toBe(true);

    drop(repository, observationOf({ id: idOf('focus', 'third'), title: 'A third one', narrative: 'More still.' }));
    await press(page, 'Trust all 2');
    await page.getByText('unreviewed').first().waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('#main');
  });

  it('is not lost when filters are removed, or a link leads elsewhere', async () => {
    const { page } = await openViewer(await viewerMemory(60), { place: '#/feed?kind=observation&concept=gotcha' });
    await page.locator('article h3').first().waitFor();
    await press(page, 'Remove the filter concept: gotcha');
    await expect.poll(() => focused(page)).toBe('Active filters');
    await press(page, 'Clear all');
    await expect.poll(() => focused(page)).toBe('#main');

    await page.evaluate('location.hash = "#/feed?q=skewed+clock+thirty"');
    await page.locator('article mark').first().waitFor();
    await page.locator('article h3 a').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('article.record h1').waitFor();
    await expect.poll(() => focused(page)).toBe('#main');
    await page.getByRole('region', { name: 'What replaced what' }).getByRole('link').first().focus();
    const before = page.url();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toBe(before);
    await expect.poll(() => focused(page)).toBe('#main');
  });
});
