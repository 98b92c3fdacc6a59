import { spawn } from 'node:child_process';
import type { Environment } from '../user-folders.ts';
import { gitEnvironment } from './objects.ts';

/** Longest that a locked reference waits for the other half of its change, in milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Moves a branch from one commit to another, and does `meanwhile` while git holds the locks of the branch and of HEAD.
 * Tells whether it moved: not when it names another commit by now, when somebody else holds a lock, when `meanwhile` says
 * no or the repository's own reference-transaction hook does. A killed caller leaves no lock: git lets go when its input ends.
 */
export function moveBranch(
  cwd: string,
  { ref, from, to, reason }: { ref: string; from: string; to: string; reason: string },
  env: Environment,
  meanwhile: () => Promise<boolean>,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['update-ref', '-m', reason, '--stdin'], {
      cwd,
      env: gitEnvironment(env),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => child.kill('SIGTERM'), PATIENCE_MS);
    let said = '';
    let isAsked = false;
    let failure: unknown;
    child.stdin.on('error', () => {}); // git that died early: its exit tells.
    child.on('error', () => finish(false));
    child.on('close', (code) => finish(code === 0 && said.includes('commit: ok')));
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
      if (isAsked || !said.includes('prepare: ok')) return;
      isAsked = true;
      meanwhile().then(
        (isDone) => child.stdin.end(isDone ? 'commit\n' : 'abort\n'),
        (error: unknown) => {
          failure = error;
          child.stdin.end('abort\n');
        },
      );
    });
    child.stdin.write(`start\nupdate ${ref} ${to} ${from}\nprepare\n`);
    function finish(isMoved: boolean): void {
      clearTimeout(timer);
      if (failure === undefined) resolve(isMoved);
      else reject(failure);
    }
  });
}
