import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, openViewer, violationsOf } from '../../support/browser.ts';
import type { TestRepository } from '../../support/repository.ts';
import { forAllTests } from '../../support/set-up.ts';
import { startViewer } from '../../support/viewer-client.ts';
import { TOLD, viewerMemory } from '../../support/viewer-memory.ts';

const it = test.extend('repository', () => viewerMemory(0));

const at = ({ id }: { id: string }) => ({ place: `#/record/${id}` });
const actions = (page: Page) => page.getByRole('region', { name: 'What to do with this record' });
const states = (page: Page) => page.locator('.record .states');
const shown = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor();

/** Presses a button that asks why, and answers with Enter. */
async function mark(page: Page, name: string, reason: string): Promise<void> {
  await actions(page).getByRole('button', { name }).click();
  await page.getByRole('dialog', { name }).getByRole('textbox').fill(reason);
  await page.keyboard.press('Enter');
}

/** What the command line says of a record. */
async function told({ call }: TestRepository, id: string): Promise<{ records: Record<string, unknown>[] }> {
  return JSON.parse(await call('show', id, '--json'));
}

/** The texts of the records that git does not know. */
function newFiles({ git, root }: TestRepository): string[] {
  const paths = git('ls-files', '--others', '--exclude-standard', '.memory').trim().split('\n').filter(Boolean);
  return paths.filter((path) => existsSync(join(root, path))).map((path) => readFileSync(join(root, path), 'utf8'));
}

describe.skipIf(CHROMIUM === undefined)('the page of a record', () => {
  const viewer = forAllTests(async (atEnd) => startViewer(await viewerMemory(20, atEnd), atEnd));

  it('shows everything known about it', async () => {
    const { page } = await openViewer(viewer(), at(TOLD.hero));
    await shown(page, TOLD.hero.title);
    const article = page.locator('article.record');
    await article.getByText('Math.abs(issued - now())').waitFor();
    await article.getByRole('cell', { name: '24 s' }).waitFor();
    const files = page.getByRole('region', { name: 'Files' });
    const rows = await files.locator('.cited > li').evaluateAll((all) => all.map(({ textContent }) => textContent));
    expect(rows.map((row) => /as the record says|(?<!\/)moved|(?<!\/)gone/.exec(row ?? '')?.[0])).toEqual([
      ...[undefined, 'as the record says', 'moved', 'gone'],
    ]);
    await files.getByText('no longer here: step9').waitFor();
    await files.getByText('now at src/auth/new/moved.ts').waitFor();
    const origin = page.getByRole('region', { name: 'Where it comes from' });
    await origin.getByText('Why do logins fail twice an hour?').waitFor();
    await origin.getByText(/Allow for skewed clocks \(#42\).*, with the change$/).waitFor();
    await page.getByText('Measured again after the new rack.').waitFor();
    const chain = page.getByRole('region', { name: 'What replaced what' });
    expect(await chain.getByRole('listitem').allTextContents()).toEqual([
      `superseded${TOLD.first.title}`,
      `superseded${TOLD.middle.title}`,
      `active${TOLD.hero.title}`,
    ]);
  });

  it('links to files and commits on the code host', async ({ repository }) => {
    repository.git('remote', 'add', 'origin', 'git@github.com:acme/courier.git');
    const [head, recorded] = repository.git('rev-parse', 'HEAD', 'HEAD~1').trim().split('\n');
    const { page } = await openViewer(repository, at(TOLD.hero));
    const files = page.getByRole('region', { name: 'Files' });
    await files.getByRole('link', { name: 'Source' }).first().waitFor();
    const links = await page
      .locator('a[href^="https://github.com/acme/courier/"]')
      .evaluateAll((all) =>
        all.map((link) => link.getAttribute('href')?.replace('https://github.com/acme/courier', '')),
      );
    expect(links).toEqual(
      expect.arrayContaining([
        `/blob/${head}/src/auth/clock.ts`,
        `/blob/${head}/src/auth/token.ts`,
        `/blob/${head}/src/auth/new/moved.ts`,
        `/commit/${recorded}`,
      ]),
    );
    expect(links.join()).not.toContain('gone.ts');
  });

  it('pins, verifies, retires and redacts as the commands do, shows the result, and undoes it', async () => {
    const repository = await viewerMemory(0);
    const { page } = await openViewer(repository, at(TOLD.left));
    for (const [name, reason] of Object.entries({ Pin: 'Read first.', Verify: 'Looked.', Retire: 'No more.' })) {
      await mark(page, name, reason);
      await states(page)
        .getByText(name === 'Pin' ? 'pinned' : `${name.toLowerCase().replace(/y$/, 'ie')}d`)
        .waitFor();
      await page.getByRole('region', { name: 'Marks' }).getByText(reason).waitFor();
    }
    expect((await told(repository, TOLD.left.id)).records[0]).toMatchObject({
      pinned: true,
      verified: true,
      retired: true,
    });
    expect(newFiles(repository).join()).toContain('Read first.');

    // The word on the last deed leads back.
    await page.locator('.toast', { hasText: 'Retired.' }).getByRole('button', { name: 'Undo' }).click();
    await states(page).getByText('retired').waitFor({ state: 'detached' });
    await states(page).getByText('pinned').waitFor();
    await actions(page).getByRole('button', { name: 'Undo marks' }).click();
    await states(page).getByText('pinned').waitFor({ state: 'detached' });
    expect((await told(repository, TOLD.left.id)).records[0]).toMatchObject({
      pinned: false,
      verified: false,
      retired: false,
    });

    await mark(page, 'Redact', '');
    await page.getByText('its text is not shown').waitFor();
  });

  it('trusts an untrusted record, and promotes a private one to the team', async ({ repository }) => {
    const { page, url } = await openViewer(repository, at(TOLD.strange));
    await states(page).getByText('unreviewed').waitFor();
    await actions(page).getByRole('button', { name: 'Trust' }).click();
    await states(page).getByText('unreviewed').waitFor({ state: 'detached' });
    expect((await told(repository, TOLD.strange.id)).records[0]).toMatchObject({ trust: 'own' });

    await page.goto(`${url}#/record/${TOLD.own.id}`);
    await states(page).getByText('private').waitFor();
    await actions(page).getByRole('button', { name: 'Promote' }).click();
    await page.getByText('Copied to the team’s store.').waitFor();
    expect(newFiles(repository).some((text) => text.includes('Runner 4 has less memory.'))).toBe(true);
  });

  it('is corrected through the editor, by a record that supersedes it', async ({ repository }) => {
    const { page } = await openViewer(repository, at(TOLD.hero));
    await actions(page).getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit this record' });
    expect(await editor.getByLabel('Facts, one per line').inputValue()).toBe(TOLD.hero.facts.join('\n'));
    expect(await editor.getByLabel('What was found').inputValue()).toBe(TOLD.hero.narrative);
    await editor.getByLabel('Title').fill('Sixty seconds are allowed');
    await editor.getByLabel('What was found').fill('It is **sixty** now.');
    // What was written is not lost by a slip.
    await page.keyboard.press('Escape');
    await editor.getByLabel('Title').press('Enter');
    await shown(page, 'Sixty seconds are allowed');
    await page.locator('.record strong', { hasText: 'sixty' }).waitFor();
    const chain = page.getByRole('region', { name: 'What replaced what' });
    await chain.getByRole('link', { name: TOLD.hero.title }).click();
    await states(page).getByText('superseded').waitFor();
    const [newer] = newFiles(repository).filter((text) => text.includes('It is **sixty** now.'));
    expect(newer).toContain(`supersedes: ["${TOLD.hero.id}"]`);
    expect(newer).toContain('generated: {by: "viewer"');
  });

  it('writes a new record from anywhere, and shows errors in its dialog', async ({ repository }) => {
    const { page } = await openViewer(repository, { mayComplain: true });
    await page.getByText('live', { exact: true }).waitFor();
    await page.keyboard.press('n');
    const editor = page.getByRole('dialog', { name: 'New record' });
    await editor.getByLabel('Title').fill('   ');
    await editor.getByRole('button', { name: 'Write the record' }).click();
    await editor.getByRole('alert').waitFor();
    await editor.getByLabel('Title').fill('Backups run at night');
    await editor.getByLabel('Facts, one per line').fill('At three.\n\nOn weekdays.');
    await editor.getByLabel('Store').selectOption('private');
    await editor.getByRole('button', { name: 'Write the record' }).click();
    await shown(page, 'Backups run at night');
    await states(page).getByText('private').waitFor();
    expect(await page.locator('.record .markdown li').allTextContents()).toEqual(['At three.', 'On weekdays.']);
    expect(newFiles(repository).join()).not.toContain('Backups');
  });

  it('shows changes that others make to it', async ({ repository }) => {
    const { page } = await openViewer(repository, at(TOLD.right));
    await page.getByText('live', { exact: true }).waitFor();
    await states(page).getByText('disputed').waitFor();
    await repository.call('pin', TOLD.right.id);
    await states(page).getByText('pinned').waitFor();
  });

  it('can be used with the keyboard, and its dialogs trap and restore the focus', async () => {
    const { page } = await openViewer(viewer());
    await page.locator('article[aria-posinset="1"] h3').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**#/record/**');
    await page.locator('article.record h1').waitFor();

    const button = actions(page).getByRole('button', { name: 'Retire' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    const [title, close] = [page.locator('dialog h2'), page.getByRole('button', { name: 'Close' })];
    const [left, right] = [await title.boundingBox(), await close.boundingBox()];
    // On one line, the one at the left and the other at the right, wherever the window was opened from.
    expect(right?.y).toBeLessThan((left?.y ?? 0) + (left?.height ?? 0));
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
    const inDialog = () => page.evaluate('document.activeElement.closest("dialog") !== null');
    for (let i = 0; i < 4; i++) {
      expect(await inDialog()).toBe(true);
      await page.keyboard.press('Tab');
      // Chromium's own controls take one turn.
      if (await page.evaluate('document.activeElement === document.body')) await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((one) => one.matches(':focus'))).toBe(true);

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    for (const word of ['next and previous record', 'retire', 'verify', 'edit', 'write a new record', 'go to Review']) {
      await help.getByText(word).waitFor();
    }
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.waitForURL('**#/feed');
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['dark', 390],
  ] as const)('is accessible, in %s at %i pixels', async (colorScheme, width) => {
    const { page } = await openViewer(viewer(), {
      ...at(TOLD.hero),
      colorScheme,
      viewport: { width, height: 900 },
    });
    await page.getByText('The file').click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
