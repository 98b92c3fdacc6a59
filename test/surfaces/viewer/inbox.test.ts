import { describe, expect, it } from 'vitest';
import type { Inbox, Meta } from '../../../src/surfaces/viewer/protocol.ts';
import { CHROMIUM, openViewer, violationsOf } from '../../support/browser.ts';
import { gitMem } from '../../support/command-line.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { setModel } from '../../support/recording-model.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { startViewer } from '../../support/viewer-client.ts';

async function waiting(): Promise<TestRepository> {
  const repository = createRepository();
  repository.env.GIT_MEM_CAPTURE_DESTINATION = 'inbox';
  await setModel(repository);
  repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
  repository.commit('Start');
  const session = hookedSession(repository.root);
  session.work('t1', 7);
  session.end();
  await gitMem(repository, ['drain', '--wait']);
  return repository;
}

const listed = async (repository: TestRepository, ...args: string[]) =>
  JSON.parse((await gitMem(repository, [...args, '--json'])).stdout).records as { title: string; store: string }[];

describe("the viewer's inbox", () => {
  it('is offered where records wait for a person, and has what waits', async () => {
    const repository = await waiting();
    const viewer = await startViewer(repository);
    expect((await viewer.ask<Meta>('meta')).inbox).toBe(true);
    const { records } = await viewer.ask<Inbox>('inbox');
    expect(records).toHaveLength((await listed(repository, 'inbox')).length);
    expect(records[0]?.texts.join()).not.toBe('');
    const plain = await startViewer(createRepository());
    expect((await plain.ask<Meta>('meta')).inbox).toBeUndefined();
  });

  it('accepts no edit of a record that does not wait', async () => {
    const viewer = await startViewer(await waiting());
    const { records } = await viewer.ask<Inbox>('inbox');
    const draft = records.find((one) => one.draft)?.draft;
    const refused = await viewer.post('act', { action: 'accept', id: 'k3v9x2qd7m', record: draft });
    expect(refused.status).toBe(404);
  });

  it.skipIf(CHROMIUM === undefined)('accepts a record as the person edited it', async () => {
    const repository = await waiting();
    const { page } = await openViewer(repository, { place: '#/inbox' });
    await page.getByRole('button', { name: 'Edit…' }).waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit and accept' });
    await dialog.getByLabel('Title').fill('The importer cuts every batch at the limit');
    expect(await violationsOf(page)).toEqual([]);
    expect(await dialog.getByLabel('Store').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Accept this version' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: 'Edit…' }).count()).toBe(0);
    const team = await listed(repository, 'list', '--store', 'team');
    expect(team).toMatchObject([
      {
        title: 'The importer cuts every batch at the limit',
        author: 'model',
        supersedes: [],
        session: expect.any(String),
      },
    ]);
  });

  it.skipIf(CHROMIUM === undefined)('accepts and drops with a button or a key', async () => {
    const repository = await waiting();
    const before = await listed(repository, 'inbox');
    expect(before.length).toBeGreaterThan(1);
    const { page } = await openViewer(repository);
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('button', { name: 'Accept' }).first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Accept' }).first().click();
    await page.getByText('Accepted: it goes to the team').waitFor();
    await expect.poll(async () => (await listed(repository, 'inbox')).length).toBe(before.length - 1);
    await expect.poll(() => page.getByRole('button', { name: 'Drop' }).count()).toBe(before.length - 1);
    await page.keyboard.press('d');
    await expect.poll(async () => (await listed(repository, 'inbox')).length).toBe(before.length - 2);
    const team = (await listed(repository, 'list', '--store', 'team')).map(({ title }) => title);
    expect(team).toEqual([before[0]?.title]);
    for (let left = before.length - 3; left >= 0; left--) {
      await page.keyboard.press('d');
      await expect.poll(() => page.getByRole('button', { name: 'Drop' }).count()).toBe(left);
    }
    await page.getByText('The inbox is empty.').waitFor();
  });

  it.skipIf(CHROMIUM === undefined)('drops no record that was just accepted, however fast the keys come', async () => {
    const repository = await waiting();
    const before = await listed(repository, 'inbox');
    const { page } = await openViewer(repository, { place: '#/inbox' });
    await page.getByRole('button', { name: 'Accept' }).first().waitFor();
    // In one task of the page: presses of the driver's own are too far apart.
    await page.evaluate("for (const key of ['a', 'd']) dispatchEvent(new KeyboardEvent('keydown', { key }))");
    await expect.poll(() => page.getByRole('button', { name: 'Drop' }).count()).toBe(before.length - 1);
    expect((await listed(repository, 'list', '--store', 'team')).map(({ title }) => title)).toEqual([before[0]?.title]);
  });
});
