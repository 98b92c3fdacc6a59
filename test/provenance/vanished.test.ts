import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { held } from '../../src/memory/store/held.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { vanishedRecords } from '../../src/provenance/untracked.ts';
import { gitMem } from '../support/command-line.ts';
import { committedBase } from '../support/git-states.ts';
import { hookCall } from '../support/hook-call.ts';
import type { TestRepository } from '../support/repository.ts';
import { observationOf, put } from '../support/written-records.ts';

const A = 'aaaaaaaaa1';

function saving(): TestRepository & { path: string } {
  const repository = committedBase();
  return { ...repository, path: put(repository, observationOf({ id: A, title: 'Retry uploads' })) };
}

const workspaceOf = ({ root, env }: TestRepository) => openWorkspace(root, env);
const vanished = async (repository: TestRepository) =>
  (await vanishedRecords(workspaceOf(repository))).map(({ id }) => id);
const heldIn = (repository: TestRepository) => {
  const { layout, format } = workspaceOf(repository);
  return held(layout.state, format).entries.map(({ id }) => id);
};

describe('a record that lies nowhere any more', () => {
  it('is told by status, doctor and the next session start, and comes back with its trust', async () => {
    const repository = saving();
    const before = await repository.call('list', '--json');
    repository.git('clean', '-fdq');
    expect(await vanished(repository)).toEqual([A]);
    expect(JSON.parse(await repository.call('status', '--json'))).toMatchObject({ vanished: 1 });
    const said = '1 record of this clone vanished uncommitted: `git mem salvage aaaaaa` brings it back.';
    expect((await gitMem(repository, ['doctor'])).stdout).toContain(said);
    repository.write('.memory/config.yaml', '');
    const start = JSON.parse(
      await hookCall(repository, 'claude-code', 'SessionStart', { session_id: 's', source: 'startup' }),
    );
    expect(start.systemMessage).toContain(said);
    await repository.call('salvage');
    expect(await vanished(repository)).toEqual([]);
    expect(await repository.call('list', '--json')).toBe(before);
  });

  it.each<[string, (repository: TestRepository & { path: string }) => void]>([
    [
      'on another branch',
      ({ git }) =>
        git('switch', '-qc', 'b') + git('add', '-A') + git('commit', '-qm', 'r') + git('switch', '-q', 'main'),
    ],
    ['in a stash', ({ git }) => git('stash', '-qu')],
    [
      'in another worktree',
      ({ git, folder, root, env, path }) => {
        git('worktree', 'add', '--quiet', join(folder, 'side'));
        put({ root: join(folder, 'side'), env }, observationOf({ id: A, title: 'Retry uploads' }));
        rmSync(join(root, path));
      },
    ],
    [
      'deleted by a commit',
      ({ git, path }) =>
        git('add', '-A') + git('commit', '-qm', 'r') + git('rm', '-q', path) + git('commit', '-qm', 'd'),
    ],
  ])('is not one that is %s', async (_, hide) => {
    const repository = saving();
    hide(repository);
    expect(existsSync(join(repository.root, repository.path))).toBe(false);
    expect(await vanished(repository)).toEqual([]);
  });
});

describe('what is held', () => {
  it('ends when the reviewed branch has it', async () => {
    const repository = saving();
    repository.git('switch', '--quiet', '-c', 'feature');
    repository.commit('r');
    await repository.call('drain', '--wait');
    expect(heldIn(repository)).toEqual([A]);
    repository.git('branch', '--quiet', '--force', 'main', 'feature');
    await repository.call('drain', '--wait');
    expect(heldIn(repository)).toEqual([]);
  });

  it.each(['retire', 'redact'])('ends with %s', async (command) => {
    const repository = saving();
    await repository.call(command, A);
    expect(heldIn(repository)).not.toContain(A);
  });

  it('is nothing of the private store', async () => {
    const repository = committedBase();
    await repository.call('add', '--private', '--title', 'A record of mine alone', '--narrative', 'Because.');
    expect(heldIn(repository)).toEqual([]);
  });
});
