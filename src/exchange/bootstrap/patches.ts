import { COMMAND_PATIENCE_MS, readGit, runGit } from '../../git/objects.ts';
import { streamGit } from '../../git/stream.ts';
import type { Environment } from '../../user-folders.ts';
import { PLAIN_OUTPUT } from './history.ts';

/** The lines that one commit removed from a file and added to it. */
export interface FilePatch {
  commit: string;
  /** The file's path after the commit. */
  path: string;
  removed: string[];
  added: string[];
  /** The numbers of the removed lines before the commit, including long lines. */
  removedAt: number[];
}

/** Longer lines are data and are skipped. */
const LONGEST_LINE = 500;

/** The changed lines of these commits, in their order, with one git child. Throws `git`. */
export async function* readPatches(root: string, ids: string[], env: Environment): AsyncGenerator<FilePatch> {
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--diff-algorithm=default'];
  const shape = ['-p', '-U0', '--no-renames', '--encoding=UTF-8', '--format=%x1e%H', ...prefixes];
  const args = [
    '-c',
    'core.quotePath=false',
    '-c',
    'log.diffMerges=off',
    'log',
    '--no-walk=unsorted',
    '--stdin',
    ...shape,
    ...PLAIN_OUTPUT,
  ];
  const finished: FilePatch[] = [];
  const reader = createPatchReader((patch) => finished.push(patch));
  let rest = '';
  for await (const chunk of streamGit(root, args, env, `${ids.join('\n')}\n`)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) reader.take(line);
    yield* finished.splice(0);
  }
  reader.end();
  yield* finished;
}

/**
 * Parses a patch line by line. A hunk's header says how many lines belong to it, so that a removed line that looks like
 * a header is not taken for one.
 */
function createPatchReader(onPatch: (patch: FilePatch) => void): { take(line: string): void; end(): void } {
  let commit = '';
  let patch: FilePatch | undefined;
  let minus = 0;
  let plus = 0;
  let at = 0;

  function take(line: string): void {
    if (minus + plus > 0 && takeChange(line)) return;
    if (line.startsWith('\u001e')) {
      end();
      commit = line.slice(1).trim();
    } else if (line.startsWith('diff --git ')) end();
    else if (line.startsWith('+++ ')) {
      const path = pathIn(line.slice(4));
      patch = path === undefined ? undefined : { commit, path, removed: [], added: [], removedAt: [] };
    } else if (line.startsWith('@@ ')) {
      const match = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      at = Number(match?.[1] ?? 0);
      minus = match ? Number(match[2] ?? 1) : 0;
      plus = match ? Number(match[3] ?? 1) : 0;
    }
  }

  function takeChange(line: string): boolean {
    if (line.startsWith('-') && minus > 0) {
      minus--;
      patch?.removedAt.push(at++);
    } else if (line.startsWith('+') && plus > 0) plus--;
    else return line.startsWith('\\');
    const text = line.slice(1).trim();
    if (text.length <= LONGEST_LINE) (line.startsWith('-') ? patch?.removed : patch?.added)?.push(text);
    return true;
  }

  function end(): void {
    if (patch) onPatch(patch);
    patch = undefined;
    minus = 0;
    plus = 0;
  }
  return { take, end };
}

/** A path in a patch header; undefined for a deleted file, and for a name that git quotes, as for control characters. */
function pathIn(text: string): string | undefined {
  return text.startsWith('b/') ? text.slice(2).replace(/\t$/, '') : undefined;
}

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
