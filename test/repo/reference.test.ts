import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { moveBranch } from '../../src/git/reference.ts';
import { bundle } from '../support/bundle.ts';
import { committedBase } from '../support/git-states.ts';
import type { TestRepository } from '../support/repository.ts';

const holder = await bundle(`
  import { moveBranch } from './src/git/reference.ts';
  const [root, from, to] = process.argv.slice(2);
  const places = { root, commonDir: root + '/.git' };
  const whileLocked = () => new Promise(() => {
    process.stdout.write('locked');
    setInterval(() => {}, 1000);
  });
  const move = { ref: 'refs/heads/main', from, to, reason: 'test' };
  moveBranch(places, move, process.env, { scratch: root + '/.git/scratch', isFree: () => true, whileLocked });
`);

/** A repository, and a commit that its branch could move to. */
function prepared(): TestRepository & { from: string; to: string } {
  const repository = committedBase();
  const from = repository.git('rev-parse', 'HEAD').trim();
  const to = repository.git('commit-tree', '-p', from, '-m', 'next', 'HEAD^{tree}').trim();
  return { ...repository, from, to };
}

function move(
  { root, env, from, to }: ReturnType<typeof prepared>,
  whileLocked: () => Promise<boolean>,
  { old = from, isFree = () => true }: { old?: string; isFree?: () => boolean } = {},
): Promise<boolean> {
  const commonDir = join(root, '.git');
  const change = { ref: 'refs/heads/main', from: old, to, reason: 'test' };
  return moveBranch({ root, commonDir }, change, env, {
    scratch: join(commonDir, 'scratch'),
    isFree,
    whileLocked,
  });
}

const head = ({ git }: TestRepository) => git('rev-parse', 'HEAD').trim();

describe('moveBranch', () => {
  it('moves the branch, and records the reason in its reflog and that of HEAD', async () => {
    const repository = prepared();
    expect(await move(repository, async () => true)).toBe(true);
    expect(head(repository)).toBe(repository.to);
    expect(repository.git('reflog', '-1', '--format=%gs', 'HEAD').trim()).toBe('test');
  });

  it('moves a branch whose reference is packed, and leaves no scratch file', async () => {
    const repository = prepared();
    repository.git('pack-refs', '--all');
    expect(await move(repository, async () => true)).toBe(true);
    expect(head(repository)).toBe(repository.to);
    expect(existsSync(join(repository.root, '.git/scratch'))).toBe(false);
    repository.git('fsck', '--strict');
  });

  it('moves nothing when told not to, nor when the other half fails', async () => {
    const repository = prepared();
    expect(await move(repository, async () => false)).toBe(false);
    await expect(move(repository, () => Promise.reject(new Error('half')))).rejects.toThrow('half');
    expect(head(repository)).toBe(repository.from);
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'unlocked');
  });

  it('does not even ask where the branch points to another commit', async () => {
    const repository = prepared();
    let asked = false;
    const ask = async () => {
      asked = true;
      return true;
    };
    expect(await move(repository, ask, { old: repository.to })).toBe(false);
    expect(asked).toBe(false);
  });

  it('takes no lock before `isFree` allows it', async () => {
    const repository = prepared();
    const isFree = () => {
      repository.git('commit', '--quiet', '--allow-empty', '-m', 'mine');
      return false;
    };
    expect(await move(repository, () => Promise.reject(new Error('asked')), { isFree })).toBe(false);
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('mine');
  });

  it('keeps others from moving it meanwhile', async () => {
    const repository = prepared();
    const moved = await move(repository, async () => {
      expect(() => repository.git('commit', '--quiet', '--allow-empty', '-m', 'mine')).toThrow(/lock/);
      return true;
    });
    expect(moved).toBe(true);
  });

  it('leaves neither lock nor change behind when it is killed halfway', async () => {
    const repository = prepared();
    const child = spawn(process.execPath, [holder, repository.root, repository.from, repository.to], {
      env: repository.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const lock = join(repository.root, '.git/refs/heads/main.lock');
    expect(existsSync(lock)).toBe(true);
    child.kill('SIGKILL');
    // Git, which holds the lock, takes it away when it finds its input closed.
    await vi.waitFor(() => expect(existsSync(lock)).toBe(false), 60_000);
    expect(head(repository)).toBe(repository.from);
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'unlocked');
  });
});
