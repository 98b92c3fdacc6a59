import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '../user-folders.ts';
import { startGit } from './child.ts';
import { flush } from './flush.ts';
import type { Checkout } from './locate.ts';

/** Longest that a locked reference waits for the other half of its change, in milliseconds. */
const PATIENCE_MS = 20_000;

/** What to move, from and to which commit. */
export interface BranchMove {
  ref: string;
  from: string;
  to: string;
  /** For the reflog. */
  reason: string;
}

/** What decides about a move, at its two last moments. */
export interface Doubts {
  /** Right before git takes the locks. A command of the user's that needs them waits a tenth of a second and then dies. */
  isFree: () => boolean;
  /** While git holds the locks of the branch and of HEAD. */
  meanwhile: () => Promise<boolean>;
}

/**
 * Moves a branch from one commit to another. Tells whether it moved: not when it names another commit by now, when
 * somebody else holds a lock, when one of the doubts says no or the repository's own reference-transaction hook does. A
 * killed caller leaves no lock: git lets go when its input ends. `scratch` is a path of the git directory's file system
 * where nothing is.
 */
export async function moveBranch(
  { root, commonDir }: Pick<Checkout, 'root' | 'commonDir'>,
  { ref, from, to, reason }: BranchMove,
  env: Environment,
  { scratch, isFree, meanwhile }: Doubts & { scratch: string },
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
    if (!(await meanwhile())) return false;
    const isMoved = moveLoose();
    return (await isAnswered('commit\n', 'commit: ok')) || isMoved;
  } finally {
    stdin.end();
    await git.ended;
    rmSync(scratch, { force: true });
  }
}

/**
 * A reference that git keeps in a file and has locked for its move. On a busy machine git takes up to 20 ms to wake and
 * to do what it is asked to, and a command of the user's that starts in this time reads the old commit. The content of git's
 * own lock file, renamed by the process that looked around, is there within a tenth of one; git then writes its logs and
 * renames the same content once more. Where references are kept in tables there is no such file, and git does it alone.
 * Gives what moves it, and tells whether it did.
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
