import type { Environment } from '../user-folders.ts';
import { startGit } from './child.ts';

/** Longest that a locked reference waits for the other half of its change, in milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Moves a branch from one commit to another, and does `meanwhile` while git holds the locks of the branch and of HEAD.
 * Tells whether it moved: not when it names another commit by now, when somebody else holds a lock, when `meanwhile` says
 * no or the repository's own reference-transaction hook does. A killed caller leaves no lock: git lets go when its input ends.
 */
export async function moveBranch(
  cwd: string,
  { ref, from, to, reason }: { ref: string; from: string; to: string; reason: string },
  env: Environment,
  meanwhile: () => Promise<boolean>,
): Promise<boolean> {
  const args = ['update-ref', '-m', reason, '--stdin'];
  const git = startGit(cwd, args, env, { patienceMs: PATIENCE_MS, ending: 'SIGTERM' });
  if (git === undefined) return false;
  const { stdin, stdout } = git.child;
  let said = '';
  let isAsked = false;
  const failures: unknown[] = [];
  stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
    if (isAsked || !said.includes('prepare: ok')) return;
    isAsked = true;
    meanwhile().then(
      (isDone) => stdin.end(isDone ? 'commit\n' : 'abort\n'),
      (error: unknown) => {
        failures.push(error);
        stdin.end('abort\n');
      },
    );
  });
  stdin.write(`start\nupdate ${ref} ${to} ${from}\nprepare\n`);
  const code = await git.ended;
  if (failures.length > 0) throw failures[0];
  return code === 0 && said.includes('commit: ok');
}
