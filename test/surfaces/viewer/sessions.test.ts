import { describe, expect, it } from 'vitest';
import type { FeedPage, SessionPage, Sessions } from '../../../src/surfaces/viewer/protocol.ts';
import { CHROMIUM, openViewer, violationsOf } from '../../support/browser.ts';
import { gitMem } from '../../support/command-line.ts';
import { hookedSession } from '../../support/hooked-session.ts';
import { setModel } from '../../support/recording-model.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { startViewer } from '../../support/viewer-client.ts';

const ID = '65939976-74e7-49bb-921b-c8315e7665e8';

async function setUp(): Promise<TestRepository> {
  const repository = createRepository();
  repository.write('src/limit.ts', 'export const LIMIT = 7;\n');
  repository.commit('Start');
  await setModel(repository);
  const session = hookedSession(repository.root, { at: new Date('2026-11-20T20:00:00Z') });
  session.work('t1', 7);
  session.chat('t2');
  session.end();
  const killed = hookedSession(repository.root, { id: 'killed-1', at: new Date('2026-11-21T20:00:00Z') });
  killed.work('k1', 2);
  killed.prompt('k2', 'and List<Row> of the exporter');
  await gitMem(repository, ['drain', '--wait', '--all']);
  return repository;
}

describe("the viewer's sessions", () => {
  it('are answered newest first, and one by one', async () => {
    const viewer = await startViewer(await setUp());
    const { total, sessions } = await viewer.ask<Sessions>('sessions');
    expect([total, ...sessions.map(({ session, state }) => [session, state])]).toEqual([
      2,
      ['killed-1', 'interrupted'],
      [ID, 'ended'],
    ]);
    expect(sessions[1]?.digest).toBe('Hello! There is a README and a src folder.');
    expect((await viewer.ask<FeedPage>('feed')).items.map(({ type }) => type)).not.toContain('digest');
    const page = await viewer.ask<SessionPage>(`sessions/${ID}`);
    expect(page.turns).toHaveLength(2);
    expect(page.records[0]?.title).toContain('Row 7 was dropped');
    expect(await viewer.refused('sessions/none')).toMatchObject({ status: 404 });
  });

  it.skipIf(CHROMIUM === undefined)('are rows with their digests, and the story of one below its row', async () => {
    const repository = await setUp();
    const { page } = await openViewer(repository);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.locator('.card', { hasText: 'There is a README' }).waitFor();
    await page.getByRole('link', { name: /the importer drops row 7/i }).click();
    const story = page.getByRole('article');
    await story.getByText('There is a README').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await story.getByRole('link', { name: 'Row 7 was dropped' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Row 7' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /the importer drops row 2/i }).click();
    await story.getByText('interrupted').waitFor();
    await story.getByText('and List<Row> of the exporter').waitFor();
  });
});
