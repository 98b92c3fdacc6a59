import { delimiter, join } from 'node:path';
import { isProgram } from '../git/child.ts';
import { runGit } from '../git/objects.ts';
import type { Environment } from '../user-folders.ts';

/**
 * The path of a program as hooks would find it; undefined if they would not. Folders that npm and npx add to PATH for
 * their own run do not count: the agent is started without them.
 */
export function findProgram(name: string, env: Environment): string | undefined {
  const isNpmRun = env.npm_execpath !== undefined || env.npm_config_user_agent !== undefined;
  const isPassing = (folder: string) => isNpmRun && /[\\/](node_modules[\\/]\.bin|node-gyp-bin)$/.test(folder);
  const suffixes = process.platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder === '' || isPassing(folder)) continue;
    const found = suffixes.map((suffix) => join(folder, name + suffix)).find(isProgram);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Tells whether a folder is a repository without files. */
export async function isBare(cwd: string, env: Environment): Promise<boolean> {
  return (await runGit(cwd, ['rev-parse', '--is-bare-repository'], env))?.trim() === 'true';
}
