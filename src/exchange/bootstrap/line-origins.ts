import { COMMAND_PATIENCE_MS, readGit, runGit } from '../../git/objects.ts';
import type { Environment } from '../../user-folders.ts';
import { PLAIN_OUTPUT } from './history.ts';

/**
 * How many of these lines of a file, as it was before a commit, another commit wrote according to git; 0 if git cannot
 * say.
 */
export async function countLinesOf(
  root: string,
  env: Environment,
  { author, before, path, lines }: { author: string; before: string; path: string; lines: number[] },
): Promise<number> {
  const wanted = new Set(lines);
  const settings = ['-c', 'blame.ignoreRevsFile=', '-c', 'core.quotePath=false'];
  const args = [...settings, 'blame', '--incremental', `${before}^`, '--', path];
  const output = (await readGit(root, args, env, { patienceMs: COMMAND_PATIENCE_MS }))?.toString('latin1') ?? '';
  let count = 0;
  // Each group begins with "<commit> <line then> <line now> <number of lines>".
  for (const [, commit, first, length] of output.matchAll(/^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/gm)) {
    if (commit !== author) continue;
    for (let i = 0; i < Number(length); i++) if (wanted.has(Number(first) + i)) count++;
  }
  return count;
}

/**
 * The change that each commit makes, whatever its position and message: commits with one patch id make the same change.
 */
export async function patchIds(root: string, env: Environment, ids: string[]): Promise<Map<string, string>> {
  const log = ['log', '--no-walk=unsorted', '--stdin', '-p', '--format=commit %H', ...PLAIN_OUTPUT];
  const patienceMs = COMMAND_PATIENCE_MS;
  const patches = (await runGit(root, log, env, { input: `${ids.join('\n')}\n`, patienceMs })) ?? '';
  const output = (await runGit(root, ['patch-id', '--stable'], env, { input: patches, patienceMs })) ?? '';
  const pairs = output.split('\n').map((line) => line.split(' '));
  return new Map(pairs.flatMap(([patch, commit]): [string, string][] => (patch && commit ? [[commit, patch]] : [])));
}
