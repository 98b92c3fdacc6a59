import { describe, expect, test } from 'vitest';
import { blobId, idOf } from '../../../src/memory/id.ts';
import { CHROMIUM, openViewer, violationsOf } from '../../support/browser.ts';
import { createRepository } from '../../support/repository.ts';
import { TOLD, viewerMemory } from '../../support/viewer-memory.ts';
import { drop, edit, observationOf, put } from '../../support/written-records.ts';

const it = test.extend('repository', () => viewerMemory(0));

const aboutSteps = (title: string) =>
  observationOf({
    id: idOf('stale', title),
    title,
    narrative: '`countSteps` says how many.',
    files_read: ['src/steps.ts'],
    anchors: { 'src/steps.ts': blobId('countSteps\n') },
  });

describe.skipIf(CHROMIUM === undefined)('the review', () => {
  it('lists what the checkout adds, opens it for reading, and applies the chosen action', async ({ repository }) => {
    drop(
      repository,
      observationOf({ id: idOf('viewer', 'second'), title: 'Another one', narrative: 'Says **more**.' }),
    );
    const { page } = await openViewer(repository, { place: '#/review' });
    const added = page.getByRole('region', { name: 'Added' });
    const row = added.getByRole('listitem').filter({ hasText: 'Another one' });
    await row.getByRole('button', { name: 'Read', exact: true }).click();
    await row.locator('.side strong', { hasText: 'more' }).waitFor();
    expect(await row.locator('.side > .markdown').textContent()).not.toContain('kind: observation');
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Trust all 2' }).click();
    await row.getByText('unreviewed').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Retire' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Too bold.');
    await page.keyboard.press('Enter');
    const retired = page.getByRole('region', { name: 'Retired' });
    await retired.getByText('Retired').click();
    await retired.getByText('Too bold.').waitFor();
    const [record] = JSON.parse(await repository.call('show', idOf('viewer', 'second'), '--json')).records;
    expect(record).toMatchObject({ retired: true, trust: 'own' });
  });

  it('lists what the change makes stale until all is handled, several at once', async ({ repository }) => {
    repository.write('src/steps.ts', 'countSteps\n');
    for (const title of ['Steps are numbered', 'Steps are exported']) put(repository, aboutSteps(title));
    repository.commit('Export the steps');
    repository.write('src/steps.ts', 'now\n');
    const { page } = await openViewer(repository, { place: '#/review' });
    const stale = page.getByRole('region', { name: 'Made stale by this change' });
    await stale.getByRole('checkbox').nth(1).waitFor();
    for (const box of await stale.getByRole('checkbox').all()) await box.check();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('dialog').getByRole('textbox').press('Enter');
    await stale.waitFor({ state: 'detached' });
    for (const title of ['Steps are numbered', 'Steps are exported']) {
      const [record] = JSON.parse(await repository.call('show', idOf('stale', title), '--json')).records;
      expect(record).toMatchObject({ verified: true, freshness: 'touched' });
    }
  });

  it('selects a whole list with one click, and keeps the actions in sight and to what is listed', async () => {
    const repository = await viewerMemory(0);
    repository.write('src/steps.ts', 'countSteps\n');
    for (let i = 0; i < 40; i++) put(repository, aboutSteps(`Step ${i} is exported`));
    repository.commit('Export the steps');
    repository.write('src/steps.ts', 'now\n');
    const { page } = await openViewer(repository, { place: '#/review', colorScheme: 'dark' });
    const stale = page.getByRole('region', { name: 'Made stale by this change' });
    // By the file that they cite, with their count.
    const file = stale.locator('.of-file');
    expect(await file.getByRole('heading').textContent()).toBe('src/steps.ts40');
    await file.getByRole('checkbox', { name: 'Select all 40' }).check();
    const row = stale.getByRole('listitem').last();
    await row.scrollIntoViewIfNeeded();
    const selected = page.getByRole('group', { name: '40 selected' });
    expect(await selected.evaluate((group) => group.getBoundingClientRect().top)).toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
    // One that is done with is not selected any more.
    await row.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('dialog').getByRole('textbox').press('Enter');
    await page.getByRole('group', { name: '39 selected' }).getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('dialog').getByRole('textbox').press('Enter');
    await stale.waitFor({ state: 'detached' });
  });

  it('opens what was edited and deleted by hand, before and after', async ({ repository }) => {
    const kept = observationOf({ id: idOf('reviewed', 'kept'), title: 'Kept', narrative: 'Kept was said.' });
    drop(repository, kept);
    const other = drop(repository, observationOf({ id: idOf('gone'), title: 'Gone', narrative: 'Gone was said.' }));
    repository.commit('Both');
    edit(repository, kept, { ...kept, narrative: 'Never was it said.' });
    repository.git('rm', '--quiet', other);
    const { page } = await openViewer(repository, { place: '#/review?base=HEAD' });
    const edited = page.getByRole('region', { name: 'Edited by hand' });
    await edited.getByText('Kept was said.').waitFor();
    await edited.getByText('Never was it said.').waitFor();
    const deleted = page.getByRole('region', { name: 'Deleted' });
    await deleted.getByText('Gone was said.').waitFor();
    // It cites no file, and so nothing stands by its file.
    const head = deleted.getByRole('heading', { level: 3 });
    expect(await head.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).clipPath)).toBe(
      'inset(50%)',
    );
    expect(await violationsOf(page)).toEqual([]);
  });

  it('compares with the given base, and says when there is no such base or no difference', async ({ repository }) => {
    const { page } = await openViewer(repository, { place: '#/review', colorScheme: 'dark', mayComplain: true });
    await page.getByRole('link', { name: TOLD.strange.title }).waitFor();
    await page.getByLabel('What this checkout adds to').fill('no-such-branch');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('no-such-branch').waitFor();
    expect(new URL(page.url()).hash).toBe('#/review?base=no-such-branch');
    expect(await violationsOf(page)).toEqual([]);

    const empty = createRepository();
    empty.write('README.md', 'Hello.\n');
    empty.commit('Begin');
    const { page: other } = await openViewer(empty, { place: '#/review', viewport: { width: 390, height: 800 } });
    await other.getByText('remembers the same as main').waitFor();
    empty.git('branch', '--move', 'trunk');
    await other.reload();
    await other.getByText('remembers the same as its base').waitFor();
    expect(await violationsOf(other)).toEqual([]);
  });
});
