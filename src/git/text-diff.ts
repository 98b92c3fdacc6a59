import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../user-folders.ts';
import { runGit } from './objects.ts';

/** Runs no program from the user's settings, whatever these or git attributes say. */
const BARE = ['-c', 'core.attributesFile=', '-c', 'core.autocrlf=false'];
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-color-moved', '--no-prefix', '--ignore-cr-at-eol'];

/**
 * The hunks between two texts as git finds them, without the lines before the first; empty if they differ only in line
 * ends, undefined if git takes them for binary. Works outside any repository, on temporary files.
 */
export async function textDiff(before: Buffer, after: Buffer, env: Environment): Promise<string | undefined> {
  if (before.equals(after)) return '';
  // Made with the mode 0700.
  const folder = mkdtempSync(join(tmpdir(), 'git-mem-diff-'));
  try {
    writeFileSync(join(folder, 'before'), before, { mode: 0o600 });
    writeFileSync(join(folder, 'after'), after, { mode: 0o600 });
    const args = [...BARE, 'diff', '--no-index', ...PLAIN, '--unified=3', '--', 'before', 'after'];
    const output = (await runGit(folder, args, env, { answers: [0, 1] })) ?? '';
    const start = output.search(/^@@ /m);
    if (start >= 0) return output.slice(start);
    return /^Binary files /m.test(output) ? undefined : '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
