import { describe, expect, it } from 'vitest';
import type { RecordPage } from '../../../src/surfaces/viewer/protocol.ts';
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

const json = async (repository: TestRepository, args: string[]) =>
  JSON.parse((await gitMem(repository, [...args, '--json'])).stdout);

describe('a record or mark made by hand', () => {
  it('carries the author name from git, wherever its author is shown', async () => {
    const { repository, id } = await withRecord();
    const who = 'Grace "Amazing" Hopper (cli)';
    expect((await gitMem(repository, ['show', id])).stdout).toContain(` by ${who}`);
    const why = (await gitMem(repository, ['why', id])).stdout;
    expect(why).toContain(`by ${who}, on main`);
    expect(why).toMatch(/verify \S+ by Grace "Amazing" Hopper \(cli\)/);
    const [record] = (await json(repository, ['list'])).records;
    expect(record).toMatchObject({ generated_by: 'cli', generated_name: 'Grace "Amazing" Hopper' });
    expect((await json(repository, ['why', id])).marks).toMatchObject([
      { generated_by: 'cli', generated_name: 'Grace "Amazing" Hopper' },
    ]);
    expect((await gitMem(repository, ['diff', '--format', 'md'])).stdout).toContain(who);
  });

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

  it.each([
    ['GIT_AUTHOR_NAME before the configuration', { GIT_AUTHOR_NAME: 'Ada' }, 'Ada'],
    ['author.name before user.name', {}, 'Author'],
  ])('takes %s, as a commit would', async (_, env, name) => {
    const { repository } = await withRecord();
    repository.git('config', 'author.name', 'Author');
    Object.assign(repository.env, env);
    const { id } = await json(repository, ['add', '--title', 'The retry waits twice as long each time']);
    expect((await json(repository, ['show', id])).records[0].generated_name).toBe(name);
  });

  it('keeps out a name that the team redacts', async () => {
    const { repository } = await withRecord();
    repository.write('.memory/config.yaml', 'privacy:\n  redact: ["Grace*"]\n');
    const { id } = await json(repository, ['add', '--title', 'The retry waits twice as long each time']);
    expect((await json(repository, ['show', id])).records[0].generated_name).not.toContain('Grace');
  });

  it('survives an export and import', async () => {
    const { repository } = await withRecord();
    const { stdout } = await gitMem(repository, ['export', '--format', 'jsonl']);
    const other = createRepository();
    other.write('memory.jsonl', stdout);
    await gitMem(other, ['import', 'jsonl', 'memory.jsonl', '--team']);
    expect((await json(other, ['list'])).records[0]).toMatchObject({ generated_name: 'Grace "Amazing" Hopper' });
  });
});

it('names the host, and no person, for what an agent does in its shell', async () => {
  const { repository, id } = await withRecord();
  Object.assign(repository.env, { CLAUDECODE: '1', AI_AGENT: 'claude-code_2-1-329' });
  await gitMem(repository, ['pin', id]);
  const { marks } = await json(repository, ['why', id]);
  expect(marks).toContainEqual(
    expect.objectContaining({ type: 'pin', generated_by: 'claude-code/2.1.329', generated_name: null }),
  );
});
