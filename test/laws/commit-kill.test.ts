import { spawn } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { committedBase, locks, standing } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';
import { trials } from '../support/trials.ts';
import { observationOf, put } from '../support/written-records.ts';

const program = await bundle(`
  import { commitMemory } from './src/review/commit/policy.ts';
  import { loadConfig } from './src/config.ts';
  import { openWorkspace } from './src/memory/store/workspace.ts';
  const workspace = openWorkspace(process.cwd(), process.env);
  process.stdout.write('ready');
  await commitMemory(workspace, loadConfig(workspace.layout.memory, process.env).config, new Date());
`);

const KILLS = trials(24);

/** A lock that stays for good is a failure; one that goes with its process is not. */
const PATIENCE = { timeout: 60_000 };

/** Runs the policy in a process of its own and kills it after so many milliseconds; gives how long it ran. */
async function killed({ root, env }: TestRepository, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...env, GIT_MEM_COMMIT: 'auto', GIT_MEM_COMMIT_AFTER: '0s' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const start = performance.now();
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  await ended;
  clearTimeout(timer);
  return performance.now() - start;
}

describe('the memory commit, killed at any instant', () => {
  it.each([
    ['the branch is locked', 'reference-transaction', '[ "$1" = prepared ]'],
    ['the index is prepared', 'post-index-change', '[ -n "$GIT_INDEX_FILE" ]'],
    ['the branch has moved', 'reference-transaction', '[ "$1" = committed ]'],
  ])('leaves no staged deletion when killed as soon as %s', async (_, name, when) => {
    const repository = dirty();
    const path = put(repository, observationOf({ id: 'aaaaaaaaa0' }));
    // The hook's parent is git, and that one's parent is the program.
    const kill = "kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat)";
    hook(repository, name, `if ${when}; then ${kill}; fi`);
    const before = userState(repository);
    await killed(repository, 60_000);
    await vi.waitFor(() => expect(locks(repository)).toEqual([]), PATIENCE);
    expect(userState(repository)).toEqual(before);
    expect(repository.git('status', '--porcelain', '-uall', '--', path)).toMatch(/^(?:\?\? .*|A {2}.*|)\n?$/);
    rmSync(join(repository.root, '.git/hooks', name));
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'unlocked');
  });

  it('is complete or absent, and leaves nothing of the user’s changed or locked', async () => {
    const repository = dirty();
    const base = repository.git('rev-parse', 'HEAD').trim();
    put(repository, observationOf({ id: 'aaaaaaaaa0' }));
    const whole = await killed(repository, 60_000);
    expect(repository.git('rev-list', '--count', `${base}..HEAD`).trim()).toBe('1');
    for (let i = 1; i <= KILLS; i++) {
      const path = put(repository, observationOf({ id: `aaaaaaaa${String(i).padStart(2, '0')}` }));
      const before = userState(repository);
      // Before this share of the time nothing is written yet, after it everything is.
      await killed(repository, whole * (0.15 + (0.6 * i) / KILLS));
      // A git child that outlives the process ends by itself, and takes its locks along.
      await vi.waitFor(() => expect(locks(repository), `lock after kill ${i}`).toEqual([]), PATIENCE);
      expect(userState(repository), `kill ${i}`).toEqual(before);
      // Untracked, staged as new, or committed: never as if the user had deleted it.
      expect(repository.git('status', '--porcelain', '--', path), `kill ${i}`).toMatch(/^(?:\?\? .*|A {2}.*|)\n?$/);
      repository.git('fsck', '--strict');
    }
    await killed(repository, 60_000);
    expect(repository.git('status', '--porcelain', '--untracked-files=all', '--', '.memory')).not.toMatch(
      /^(?:\?\?| ?D)/m,
    );
  });
});

/** A repository with staged, unstaged and renamed files. */
function dirty(): TestRepository {
  const repository = committedBase();
  repository.write('a.txt', 'staged\n');
  repository.git('add', 'a.txt');
  repository.write('a.txt', 'unstaged\n');
  repository.git('mv', 'b.txt', 'moved.txt');
  return repository;
}

function hook(repository: TestRepository, name: string, body: string): void {
  repository.write(`.git/hooks/${name}`, `#!/bin/sh\n${body}\n`);
  chmodSync(join(repository.root, '.git/hooks', name), 0o755);
}

/** What is the user's, whether or not a record is staged. */
function userState(repository: TestRepository): Record<string, unknown> {
  const { staged, unstaged, index, files } = standing(repository, ['--', '.', ':!.memory']);
  return { staged, unstaged, index, files };
}
