import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, reviewed, SECRET } from '../../support/branches.ts';
import { gitMem } from '../../support/command-line.ts';
import type { TestRepository } from '../../support/repository.ts';
import { drop, edit, observationOf } from '../../support/written-records.ts';

const news = observationOf({ id: 'newrec0rd1', title: 'The queue retries three times' });
const secret = { ...news, narrative: `The key is ${SECRET}.` };

describe('git mem pre-commit', () => {
  /** A commit as a person makes it, with the hook that `init` writes. */
  async function hooked(): Promise<TestRepository> {
    const repository = reviewed();
    await repository.call('init', '--yes');
    commit(repository, 'set up');
    return repository;
  }

  it('stops a commit with a secret, and passes others silently', async () => {
    const repository = await hooked();
    drop(repository, news);
    repository.git('add', '.memory');
    repository.git('commit', '--quiet', '-m', 'fine');
    const path = edit(repository, news, secret);
    repository.git('add', '.memory');
    expect(() => repository.git('commit', '--quiet', '-m', 'bad')).toThrow(/line 9: It holds a secret/);
    repository.git('reset', '--quiet');
    // Both stage into an index of their own.
    expect(() => repository.git('commit', '--quiet', '-a', '-m', 'bad')).toThrow(/It holds a secret/);
    expect(() => repository.git('commit', '--quiet', '-m', 'bad', '--', path)).toThrow(/It holds a secret/);
    expect(repository.git('log', '--format=%s', '-1')).toBe('fine\n');
  });

  it('works in a linked worktree', async () => {
    const repository = await hooked();
    const root = join(repository.folder, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'linked', root);
    drop({ ...repository, root }, secret);
    expect(() => repository.git('-C', root, 'add', '.memory')).not.toThrow();
    expect(() => repository.git('-C', root, 'commit', '--quiet', '-m', 'bad')).toThrow(/It holds a secret/);
  });

  it('does nothing with GIT_MEM=0', async () => {
    const repository = reviewed();
    drop(repository, secret);
    repository.git('add', '.');
    expect((await gitMem(repository, ['pre-commit'])).code).toBe(1);
    expect(await gitMem(repository, ['pre-commit'], { env: { GIT_MEM: '0' } })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('never fails a commit of a colleague who does not have git-mem', async () => {
    const repository = await hooked();
    mkdirSync(join(repository.folder, 'away'));
    renameSync(join(repository.folder, 'bin/git-mem'), join(repository.folder, 'away/git-mem'));
    drop(repository, secret);
    repository.git('add', '.memory');
    expect(() => repository.git('commit', '--quiet', '-m', 'unchecked')).not.toThrow();
  });

  it('does not stop a commit because of a bug of ours or an older version', async () => {
    const repository = await hooked();
    for (const status of [2, 70, 127]) {
      repository.write('../bin/git-mem', `#!/bin/sh\nexit ${status}\n`);
      chmodSync(join(dirname(repository.root), 'bin/git-mem'), 0o755);
      repository.git('commit', '--quiet', '--allow-empty', '-m', `exit ${status}`);
    }
    expect(repository.git('log', '--format=%s', '-1')).toBe('exit 127\n');
  });
});
