import { statSync } from 'node:fs';
import { join } from 'node:path';
import { commandGit } from '../git/git.ts';
import { runGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** How much of the repository's history is memory; keys are those of `stats --noise --json`. */
export interface MemoryNoise {
  /** Commits up to HEAD, merges left out. */
  commits: number;
  /** Those that touch `.memory`, and those that touch nothing else. */
  touching: number;
  memory_only: number;
  /** The last two as shares of all commits. */
  touching_share: number;
  memory_only_share: number;
  /** Sessions that the team's records come from. */
  sessions: number;
  /** The team store as it is now. */
  files: number;
  bytes: number;
  /** Null where no record names a session. */
  files_per_100_sessions: number | null;
  bytes_per_100_sessions: number | null;
}

/** Only the person who asked is waiting, and a history may be long; in milliseconds. */
const PATIENCE_MS = 600_000;

/** Measures what memory costs a reader of the history. `sessions` are those of the team's records. Throws `git`. */
export async function measureNoise(workspace: Workspace, sessions: number): Promise<MemoryNoise> {
  const { checkout, env, stores } = workspace;
  const head = await runGit(checkout.root, ['rev-parse', '--verify', '--quiet', 'HEAD'], env);
  const [commits, touched] =
    head === undefined ? [0, []] : [await countCommits(workspace), await readTouched(workspace)];
  const memoryOnly = touched.filter((paths) => paths.every((path) => path.startsWith('.memory/'))).length;
  const sizes = [...stores.team.newest()].map(({ path }) => {
    return statSync(join(stores.team.dir, path), { throwIfNoEntry: false })?.size ?? 0;
  });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const per100 = (n: number) => (sessions === 0 ? null : Math.round((n / sessions) * 100));
  return {
    commits,
    touching: touched.length,
    memory_only: memoryOnly,
    touching_share: commits === 0 ? 0 : touched.length / commits,
    memory_only_share: commits === 0 ? 0 : memoryOnly / commits,
    sessions,
    files: sizes.length,
    bytes,
    files_per_100_sessions: per100(sizes.length),
    bytes_per_100_sessions: per100(bytes),
  };
}

async function countCommits({ checkout, env }: Workspace): Promise<number> {
  return Number(await commandGit(checkout.root, ['rev-list', '--count', '--no-merges', 'HEAD'], env)) || 0;
}

/** For each commit that touches memory, all paths that it touches. */
async function readTouched({ checkout, env }: Workspace): Promise<string[][]> {
  const shape = ['--name-only', '-z', '--no-renames', '--full-diff', '--no-show-signature', '--format=%x1e%H'];
  const args = ['log', '--no-merges', ...shape, 'HEAD', '--', ':(top).memory'];
  const touched: string[][] = [];
  for (const token of (await commandGit(checkout.root, args, env, { patienceMs: PATIENCE_MS })).split('\0')) {
    if (/^\n?\u001e[0-9a-f]{40,64}$/.test(token)) touched.push([]);
    else if (token !== '') touched.at(-1)?.push(token.replace(/^\n/, ''));
  }
  return touched;
}
