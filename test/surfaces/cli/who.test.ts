import { describe, expect, it } from 'vitest';
import type { RecordPage } from '../../../src/surfaces/viewer/record-protocol.ts';
import { gitMem } from '../../support/command-line.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';
import { startViewer } from '../../support/viewer-client.ts';

const TITLE = 'Two workers drain one spool, so the second one waits';

/** A repository whose user git knows by name, and the id of a record that this user added and verified. */
async function withRecord(): Promise<{ repository: TestRepository; id: string }> {
  const repository = createRepository();
  repository.git('config', 'user.name', 'Grace "Amazing" Hopper');
  const { id } = JSON.parse((await gitMem(repository, ['add', '--title', TITLE, '--json'])).stdout);
  await gitMem(repository, ['verify', id]);
  return { repository, id };
}

describe('a record or mark made by hand', () => {
  it('names the person in the viewer as well, for the record and for its marks', async () => {
    const { repository, id } = await withRecord();
    const { ask, post } = await startViewer(repository);
    await post('act', { action: 'pin', ids: [id] });
    const page = await ask<RecordPage>(`record/${id}`);
    expect(page.provenance.by).toBe('Grace "Amazing" Hopper (cli)');
    expect(page.marks.map(({ by }) => by).sort()).toEqual([
      'Grace "Amazing" Hopper (cli)',
      'Grace "Amazing" Hopper (viewer)',
    ]);
  });
});
