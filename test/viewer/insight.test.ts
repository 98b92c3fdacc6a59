import { describe, expect, it } from 'vitest';
import { CHROMIUM, openViewer, violationsOf } from '../support/browser.ts';
import { createRepository } from '../support/repository.ts';
import { forAllTests } from '../support/set-up.ts';
import { startViewer } from '../support/viewer-client.ts';
import { viewerMemory } from '../support/viewer-memory.ts';

describe.skipIf(CHROMIUM === undefined)('the insight', () => {
  const viewer = forAllTests(async (atEnd) => startViewer(await viewerMemory(20, atEnd), atEnd));

  it('counts the records, and each count links to them', async () => {
    const { page, complaints } = await openViewer(viewer(), { place: '#/insight' });
    const concepts = page.getByRole('region', { name: 'Concepts' });
    const gotcha = concepts.getByRole('listitem').filter({ hasText: 'gotcha' });
    // Twenty generated ones and the hero.
    expect(await gotcha.textContent()).toBe('gotcha21');
    await page.getByRole('region', { name: 'Files' }).getByText('src/auth/token.ts').waitFor();
    await page.getByText('Days as a list').click();
    const days = page.getByRole('region', { name: 'When' }).getByRole('listitem');
    expect(await days.first().getByRole('link').textContent()).toBe('November 19, 2026');
    await gotcha.getByRole('link').click();
    await page.getByText('21 records', { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/feed?concept=gotcha');
    expect(complaints).toEqual([]);
  });

  it('says so when there is nothing to count', async () => {
    const { page } = await openViewer(createRepository(), { place: '#/insight' });
    await page.getByText('Nothing is remembered yet').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
