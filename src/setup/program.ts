import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isProgram } from '../git/child.ts';
import { type Checkout, locate } from '../git/locate.ts';
import { runGit } from '../git/objects.ts';
import { replaceFile } from '../memory/store/atomic.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import { packageRoot } from '../templates.ts';
import type { Environment } from '../user-folders.ts';

const NOTE = 'git-mem/program';

/** As hooks would find it: without the folders that npm and npx add to PATH for their own run. */
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

/** For launchers that find no git-mem on PATH. Never a program in the checkout: anyone who pushes a branch could replace it. */
export function noteProgram({ commonDir }: Checkout): void {
  const program = join(packageRoot(), 'dist/bin.cjs');
  const text = `${process.execPath}\n${program}\n`;
  try {
    const ownerOf = (path: string) => locate(dirname(realpathSync(path)))?.commonDir;
    if ([process.execPath, program].some((path) => ownerOf(path) === realpathSync(commonDir))) return;
    if (notedProgram(commonDir)?.join('\n') === text.trimEnd()) return;
    createFolder(join(commonDir, 'git-mem'), 0o700);
    replaceFile(join(commonDir, NOTE), text);
  } catch {
    // A git directory that cannot be written; `doctor` says so.
  }
}

/** Node and the program as they were noted last. */
export function notedProgram(commonDir: string): string[] | undefined {
  try {
    return readFileSync(join(commonDir, NOTE), 'utf8').trimEnd().split('\n');
  } catch {
    return undefined; // Nothing was noted yet.
  }
}

/** Tells whether a folder is a repository without files. */
export async function isBare(cwd: string, env: Environment): Promise<boolean> {
  return (await runGit(cwd, ['rev-parse', '--is-bare-repository'], env))?.trim() === 'true';
}
