import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { createRepository } from '../support/repository.ts';

const holder = await bundle(`
  import { writeFileSync } from 'node:fs';
  import { guardLock } from './src/git/lock-guard.ts';
  const [lock, held] = process.argv.slice(2);
  guardLock(lock, 'mine', process.env);
  writeFileSync(lock, held);
  process.kill(process.pid, 'SIGKILL');
`);

it('removes the lock of a process that was killed along with it', async () => {
  const lock = join(createRepository().root, 'lock');
  spawnSync(process.execPath, [holder, lock, 'mine\n']);
  await vi.waitFor(() => expect(existsSync(lock)).toBe(false), 60_000);
});

it('leaves anybody else’s lock, even after one of its own', async () => {
  const { root } = createRepository();
  const [other, lock] = [join(root, 'other'), join(root, 'lock')];
  writeFileSync(other, 'theirs\n');
  spawnSync(process.execPath, [holder, other, 'theirs\n']);
  spawnSync(process.execPath, [holder, lock, 'mine\n']);
  await vi.waitFor(() => expect(existsSync(lock)).toBe(false), 60_000);
  expect(existsSync(other)).toBe(true);
});
