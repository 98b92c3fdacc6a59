import { spawn } from 'node:child_process';
import type { Environment } from '../../user-folders.ts';

/** Starts a drain as a detached process, so that it outlives the hook, its host and their terminal. */
export function wakeDrain(root: string, env: Environment): void {
  const program = process.argv[1];
  if (program === undefined) return;
  const child = spawn(process.execPath, [program, 'drain'], {
    cwd: root,
    env,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => {}); // The next event starts another; `git mem status` shows what is pending.
  child.unref();
}
