import { spawn } from 'node:child_process';
import type { Environment } from '../user-folders.ts';

/** Waits for the end of this process, then removes the lock file if its only line is the mark. */
const SCRIPT = 'read -r _; { read -r held <"$0"; } 2>/dev/null && [ "$held" = "$1" ] && rm -f "$0"';

/**
 * Makes sure that a lock file which this process writes, with a unique mark in it, does not outlive a `kill -9`: a
 * shell outside its process group waits for its end. Returns a function that ends the wait. Without a shell, nothing
 * waits.
 */
export function guardLock(lock: string, mark: string, env: Environment): () => void {
  const guard = spawn('sh', ['-c', SCRIPT, lock, mark], { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  return () => void guard.stdin.end();
}
