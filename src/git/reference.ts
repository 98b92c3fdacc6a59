import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '../user-folders.ts';
import { startGit } from './child.ts';
import { flush } from './flush.ts';
import type { Checkout } from './locate.ts';

/** Longest time that a reference stays locked, in milliseconds: meanwhile the user cannot commit. */
const PATIENCE_MS = 20_000;

/** What to move, from and to which commit. */
export interface BranchMove {
  ref: string;
  from: string;
  to: string;
  /** For the reflog. */
  reason: string;
}

/** Checks that decide about a move at its last two moments. */
export interface MoveChecks {
  /** Right before git takes the locks. A user's command that needs them waits a tenth of a second and then fails. */
  isFree: () => boolean;
  /** While git holds the locks of the branch and of HEAD. */
  whileLocked: () => Promise<boolean>;
}

/**
 * Moves a branch from one commit to another, and tells whether it moved: not if it names another commit by now, if
 * another process holds a lock, or if one of the checks or the repository's own reference-transaction hook refuses. A
 * killed caller leaves no lock: git releases it when its input ends. `scratch` is an unused path on the git directory's
 * file system.
 */
export async function moveBranch(
  { root, commonDir }: Pick<Checkout, 'root' | 'commonDir'>,
  { ref, from, to, reason }: BranchMove,
  env: Environment,
  { scratch, isFree, whileLocked }: MoveChecks & { scratch: string },
): Promise<boolean> {
  const args = ['update-ref', '-m', reason, '--stdin'];
  const git = startGit(root, args, env, { patienceMs: PATIENCE_MS, ending: 'SIGTERM' });
  if (git === undefined) return false;
  const { stdin, stdout } = git.child;
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const isAnswered = async (commands: string, answer: string) => {
    stdin.write(commands);
    return (await answers.next()).value === answer;
  };
  try {
    if (!(await isAnswered('start\n', 'start: ok')) || !isFree()) return false;
    if (!(await isAnswered(`update ${ref} ${to} ${from}\nprepare\n`, 'prepare: ok'))) return false;
    const moveLoose = looseReference(join(commonDir, ref), scratch);
    if (!(await whileLocked())) return false;
    const isMoved = moveLoose();
    return (await isAnswered('commit\n', 'commit: ok')) || isMoved;
  } finally {
    stdin.end();
    await git.ended;
    rmSync(scratch, { force: true });
  }
}

/**
 * A reference that git keeps in a file and has locked for its move. On a busy machine git takes up to 20 ms to wake up
 * and act, and a user's command that starts in this time reads the old commit. If the process that made the checks
 * renames the content of git's own lock file into place, that takes a tenth of a millisecond; git then writes its logs
 * and renames the same content once more. With a reftable there is no such file, and git does it alone. Returns a
 * function that moves the reference and tells whether it did.
 */
function looseReference(path: string, scratch: string): () => boolean {
  const lock = `${path}.lock`;
  if (!existsSync(lock)) return () => false;
  copyFileSync(lock, scratch);
  flush(scratch);
  return () => {
    renameSync(scratch, path);
    return true;
  };
}
