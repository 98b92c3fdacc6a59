import { describe, expect, it } from 'vitest';
import { gitMem } from '../support/command-line.ts';
import { commitOn, dayAfter } from '../support/dated-commits.ts';
import { createRepository, type TestRepository } from '../support/repository.ts';

function createReverted(): TestRepository {
  const repository = createRepository();
  const bad = commitOn(repository, dayAfter(0), 'Retry uploads in parallel', { 'src/upload.ts': 'parallel();\n' });
  const message = `Revert "Retry uploads in parallel"\n\nThis reverts commit ${bad}.`;
  commitOn(repository, dayAfter(3), message, { 'src/upload.ts': 'serial();\n' });
  return repository;
}

describe('git mem bootstrap', () => {
  it('writes into the private store, and only what is new', async () => {
    const repository = createReverted();
    expect(await gitMem(repository, ['bootstrap'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[0-9a-z]{10} revert Reverted: Retry uploads in parallel\n$/),
      stderr: expect.stringContaining('2 commits read: 1 record written to the private store.'),
    });
    expect(await gitMem(repository, ['bootstrap'])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('1 already known'),
    });
    expect(repository.git('status', '--porcelain')).toBe('');
    const { stdout } = await gitMem(repository, ['list', '--json']);
    expect(JSON.parse(stdout).records).toMatchObject([{ store: 'private', trust: 'own', freshness: 'fresh' }]);
  });

  it('writes into the committed store when told to', async () => {
    const repository = createReverted();
    const { stdout } = await gitMem(repository, ['bootstrap', '--team', '--json']);
    const { commits, written, records } = JSON.parse(stdout);
    expect([commits, written.length]).toEqual([2, 1]);
    expect(records[0]).toMatchObject({
      pattern: 'revert',
      path: expect.stringMatching(/^\.memory\/observations\/2026-01\//),
    });
    expect(repository.git('status', '--porcelain', '--untracked-files=all')).toContain(records[0].path);
  });

  it('is suggested where there is no memory yet: by an empty list, doctor and init', async () => {
    const repository = createReverted();
    const named = expect.stringContaining('git mem bootstrap --dry-run');
    expect(await gitMem(repository, ['list'])).toMatchObject({ stdout: '', stderr: named });
    expect(await gitMem(repository, ['init', '--yes'])).toMatchObject({ code: 0, stderr: named });
    expect(await gitMem(repository, ['doctor'])).toMatchObject({ stdout: named });
    await gitMem(repository, ['bootstrap']);
    expect((await gitMem(repository, ['list', '--type', 'security'])).stderr).toBe('No record matches.\n');
  });

  it('writes nothing in a dry run', async () => {
    const repository = createReverted();
    const { stdout, stderr } = await gitMem(repository, ['bootstrap', '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      written: [],
      found: { revert: 1 },
      records: [{ path: '' }],
    });
    expect(stderr).toBe('');
    expect(JSON.parse((await gitMem(repository, ['list', '--json'])).stdout).total).toBe(0);
  });

  it('shows its progress only on a terminal, and reports errors', async () => {
    const repository = createReverted();
    expect((await gitMem(repository, ['bootstrap', '--dry-run'], { tty: true })).stderr).toContain('\r\u001b[K');
    expect((await gitMem(repository, ['bootstrap', '--dry-run'])).stderr).not.toContain('\u001b');
    expect(await gitMem(repository, ['bootstrap', '--limit', '31'])).toMatchObject({ code: 1 });
    expect(await gitMem(repository, ['bootstrap', '--since', 'the flood'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('neither a revision nor a date'),
    });
    expect(await gitMem(createRepository(), ['bootstrap'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no commit yet'),
    });
  });
});
