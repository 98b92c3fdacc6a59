import { GitMemError } from '../errors.ts';
import type { Environment } from '../user-folders.ts';
import { startGit } from './child.ts';

/** How much of git's error output is kept, in UTF-16 units: its first line is shown. */
const COMPLAINT = 2000;

/**
 * Runs one git child and yields its standard output in chunks, however long it takes; for commands, never for hooks. A
 * reader that stops ends the child. Throws `git` when git is missing or fails.
 */
export async function* streamGit(cwd: string, args: string[], env: Environment, input = ''): AsyncGenerator<string> {
  let complaint = '';
  const onComplaint = (text: string) => {
    complaint = (complaint + text).slice(0, COMPLAINT);
  };
  const git = startGit(cwd, args, env, { input, onComplaint });
  if (git === undefined) throw failure(args, '');
  try {
    for await (const chunk of git.child.stdout.setEncoding('utf8')) yield String(chunk);
    if ((await git.ended) !== 0) throw failure(args, complaint);
  } finally {
    git.child.kill('SIGKILL');
  }
}

function failure(args: string[], complaint: string): GitMemError {
  const command = args.find((arg) => /^[a-z]/.test(arg) && !arg.includes('=')) ?? '';
  return new GitMemError('git', `git ${command} failed: ${complaint.trim().split('\n')[0] || 'no reason given'}`, {
    hint: 'A partial clone lacks what was never fetched; `git fsck` shows whether the repository is damaged.',
  });
}
