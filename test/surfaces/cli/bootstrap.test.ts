import { describe, expect, test } from 'vitest';
import { gitMem } from '../../support/command-line.ts';
import { commitOn, dayAfter } from '../../support/dated-commits.ts';
import { createRepository, type TestRepository } from '../../support/repository.ts';

const it = test.extend('repository', () => createReverted());

function createReverted(): TestRepository {
  const repository = createRepository();
  const bad = commitOn(repository, dayAfter(0), 'Retry uploads in parallel', { 'src/upload.ts': 'parallel();\n' });
  const message = `Revert "Retry uploads in parallel"\n\nThis reverts commit ${bad}.\n\nTwo writers corrupt the index because nothing locks it.`;
  commitOn(repository, dayAfter(3), message, { 'src/upload.ts': 'serial();\n' });
  return repository;
}

describe('git mem bootstrap', () => {
  it('writes into the private store, and only what is new', async ({ repository }) => {
    expect(await gitMem(repository, ['bootstrap'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^[0-9a-z]{10} revert Reverted: Retry uploads in parallel: Two writers corrupt the index because nothing locks it\n$/,
      ),
      stderr: expect.stringContaining('Read main: 1 record written to the private store.'),
    });
    expect(await gitMem(repository, ['bootstrap'])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('1 already known'),
    });
    expect(repository.git('status', '--porcelain')).toBe('');
    const { stdout } = await gitMem(repository, ['list', '--json']);
    expect(JSON.parse(stdout).records).toMatchObject([{ store: 'private', trust: 'own', freshness: 'fresh' }]);
  });

  it('writes into the committed store when told to', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['bootstrap', '--team', '--json']);
    const { branch, written, records } = JSON.parse(stdout);
    expect([branch, written.length]).toEqual(['refs/heads/main', 1]);
    expect(records[0]).toMatchObject({
      pattern: 'revert',
      path: expect.stringMatching(/^\.memory\/observations\/2026-01\//),
    });
    expect(repository.git('status', '--porcelain', '--untracked-files=all')).toContain(records[0].path);
  });

  it('is suggested where there is no memory yet: by an empty list, doctor and init', async ({ repository }) => {
    const named = expect.stringContaining('git mem bootstrap --dry-run');
    expect(await gitMem(repository, ['init', '--yes'])).toMatchObject({ code: 0, stderr: named });
    expect(await gitMem(repository, ['list'])).toMatchObject({ stdout: '', stderr: named });
    expect(await gitMem(repository, ['doctor', '--all'])).toMatchObject({ stdout: named });
    await gitMem(repository, ['bootstrap']);
    expect((await gitMem(repository, ['list', '--type', 'security'])).stderr).toBe('No record matches.\n');
  });

  it('writes nothing in a dry run', async ({ repository }) => {
    const { stdout, stderr } = await gitMem(repository, ['bootstrap', '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      written: [],
      records: [{ path: '' }],
    });
    expect(stderr).toBe('');
    expect(JSON.parse((await gitMem(repository, ['list', '--json'])).stdout).total).toBe(0);
  });

  it('prints what to ask of an agent, and writes nothing', async ({ repository }) => {
    const { stdout } = await gitMem(repository, ['bootstrap', '--agent']);
    expect(stdout).toMatch(/at most 15 records.*`save_observation`.*`git mem add`/s);
    expect(JSON.parse((await gitMem(repository, ['list', '--json'])).stdout).total).toBe(0);
  });

  it('reports errors', async () => {
    expect(await gitMem(createRepository(), ['bootstrap'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No branch counts as reviewed'),
    });
  });
});
