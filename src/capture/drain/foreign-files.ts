import { existsSync, lstatSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';
import { reviewedBranch } from '../../git/default-branch.ts';
import { type Checkout, locate } from '../../git/locate.ts';
import { objectIds, runGit } from '../../git/objects.ts';
import { below } from '../../git/paths.ts';
import { headMoves, isMadeHere } from '../../git/reflog.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';

// Foreign files in a clone's worktrees: neither reviewed, nor committed by this clone, nor made by a session.

/** The worktree of this clone that holds a path; undefined for a path outside all of them. */
export function placeOf(
  path: string,
  here: { root: string; commonDir: string },
): { root: string; path: string } | undefined {
  const folder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
  const around = existsSync(folder) ? locate(folder) : undefined;
  const root = around === undefined || around.commonDir === here.commonDir ? (around?.root ?? here.root) : undefined;
  const inside = root && (below(root, path) ?? (path === root ? '.' : undefined));
  return root && inside ? { root, path: inside } : undefined;
}

/** Folders whose files are foreign, whenever they arrived. */
const DEPENDENCIES =
  /(?:^|\/)(?:node_modules|bower_components|site-packages|vendor|third_party|Pods|\.?venv|\.cargo|\.m2)(?:\/|$)/;

/** Tells whether a file was written since `start`, and so by something the session ran, such as its tests. */
function isMadeSince(root: string, path: string, start: string): boolean {
  const { mtimeMs } = lstatSync(resolve(root, path), { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  return mtimeMs >= Date.parse(start) && !DEPENDENCIES.test(path);
}

/** What a session looked at in a worktree: paths in it, `.` for its code, and revisions as commands named them. */
export interface Looked {
  paths: Set<string>;
  revisions: Set<string>;
}

/** Tells whether a session looked at something that is neither reviewed, nor committed by this clone, nor made since `start`. */
export async function hasForeign(
  root: string,
  { paths, revisions }: Looked,
  { env, start }: { env: Workspace['env']; start: string },
): Promise<boolean> {
  const checkout = locate(root);
  if (checkout === undefined) return false;
  const { ref } = reviewedBranch(workspaceOf(checkout, env));
  const here = { checkout, env, ref };
  return (await hasForeignFiles([...paths], start, here)) || (await hasForeignCommits([...revisions], here));
}

interface Here {
  checkout: Checkout;
  env: Workspace['env'];
  ref: string | undefined;
}

async function hasForeignFiles(paths: string[], start: string, { checkout, env, ref }: Here): Promise<boolean> {
  if (paths.length === 0) return false;
  const { root } = checkout;
  const read = paths.filter((path) => path !== '.');
  const known = new Set<string>();
  for (const tree of read.length === 0 ? [] : ['HEAD', ref ?? 'HEAD']) {
    const tracked = await runGit(root, ['ls-tree', '-z', '--name-only', tree, '--', ...read], env);
    // If git does not answer, nothing is known.
    if (tracked === undefined) return false;
    // Asked about a folder and a file in it, git names only the file.
    for (const path of tracked.split('\0')) for (let at = path; at !== '.'; at = posix.dirname(at)) known.add(at);
  }
  if (read.some((path) => !known.has(path) && !isMadeSince(root, path, start))) return true;
  if (ref === undefined) return false;
  const log = await runGit(root, ['--literal-pathspecs', 'rev-list', `${ref}..HEAD`, '--', ...paths], env);
  return isForeignAmong(log, checkout);
}

async function hasForeignCommits(revisions: string[], { checkout, env, ref }: Here): Promise<boolean> {
  if (ref === undefined) return false;
  const { root } = checkout;
  const expressions = revisions.map((revision) => `${revision}^{commit}`);
  const commits = ((await objectIds(root, expressions, env)) ?? []).filter((id) => id !== undefined);
  if (commits.length === 0) return false;
  return isForeignAmong(await runGit(root, ['rev-list', ...commits, '--not', ref, '--'], env), checkout);
}

/** Tells whether any of these commits, one per line, was not made by this clone. */
function isForeignAmong(log: string | undefined, checkout: Checkout): boolean {
  const made = new Set(headMoves(checkout).flatMap((move) => (isMadeHere(move) ? move.to : [])));
  return log?.split('\n').some((commit) => commit !== '' && !made.has(commit)) ?? false;
}
