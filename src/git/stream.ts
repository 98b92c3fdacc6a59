import { spawn } from 'node:child_process';
import { GitMemError } from '../errors.ts';
import type { Environment } from '../user-folders.ts';
import { gitEnvironment } from './objects.ts';

/** As much of git's complaint as is kept, in UTF-16 units. */
const COMPLAINT = 2000;

/**
 * Runs one git child and gives its standard output piece by piece, however long it takes; for commands, never for hooks.
 * Whoever stops reading ends the child. Throws `git` when git is missing or fails.
 */
export async function* streamGit(cwd: string, args: string[], env: Environment, input = ''): AsyncGenerator<string> {
  const child = spawn('git', args, { cwd, env: gitEnvironment(env), stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, COMPLAINT);
  });
  child.stdin.on('error', () => {}); // git that died early: its exit tells.
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      complaint ||= error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  child.stdin.end(input);
  try {
    for await (const chunk of child.stdout.setEncoding('utf8')) yield String(chunk);
    const code = await ended;
    if (code !== 0) throw failure(args, complaint);
  } finally {
    child.kill('SIGKILL');
  }
}

function failure(args: string[], complaint: string): GitMemError {
  const command = args.find((arg) => /^[a-z]/.test(arg) && !arg.includes('=')) ?? '';
  return new GitMemError('git', `git ${command} failed: ${complaint.trim().split('\n')[0] || 'no reason given'}`, {
    hint: 'A partial clone lacks what was never fetched; `git fsck` tells whether the repository is damaged.',
  });
}
