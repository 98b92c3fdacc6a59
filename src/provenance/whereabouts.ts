import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_PATIENCE_MS, runGit, treeFiles } from '../git/objects.ts';
import { renamesIn } from '../git/renames.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { type Contents, createFreshness, type Elsewhere, type FreshnessJudge } from './freshness.ts';

/**
 * The judge of these anchors. Git is asked only if the working tree lacks a cited file: once for its index, and, if
 * neither that nor `renames` shows where the file went, for the commits that removed it. Hooks pass the renames that
 * they know, because history may be long.
 */
export async function judgeOf(
  workspace: Workspace,
  cited: Record<string, string>[],
  renames?: ReadonlyMap<string, string>,
): Promise<FreshnessJudge> {
  const { checkout, env, format, at } = workspace;
  const { root } = checkout;
  // Only its own checkout can judge its files.
  if (workspace.linked) return createFreshness({ root, format, look: () => 'unreadable', pathsOf: () => [] });
  if (at !== undefined) return judgeAt(workspace, at);
  const pairs = cited.flatMap((anchors) => Object.entries(anchors));
  const contents: Contents = new Map();
  const first = createFreshness({ root, format, contents, pathsOf: () => [] });
  if (pairs.every(([path, blob]) => first.file(path, blob) !== 'gone')) return first;

  // Without the memory's own files, which may far outnumber the others. A hook, which passes renames, does not wait
  // long.
  const question = ['ls-files', '-s', '-t', '-z', '--', ':(top,exclude).memory'];
  const patience = renames === undefined ? COMMAND_PATIENCE_MS : undefined;
  const index = readIndex(root, (await runGit(root, question, env, { patienceMs: patience })) ?? '');
  const known = (path: string) => renames?.get(path);
  const second = createFreshness({ root, format, contents, ...index, renamedTo: known });
  const gone = renames === undefined ? pairs.filter(([path, blob]) => second.file(path, blob) === 'gone') : [];
  if (gone.length === 0) return second;

  const lacking = gone.map(([path]) => path);
  const found = await renamesIn(checkout, lacking, env);
  return createFreshness({ root, format, contents, ...index, renamedTo: (path) => found.get(path) });
}

/** The judge of anchors as of a commit: its tree takes the place of the working tree. */
async function judgeAt({ checkout, env, format }: Workspace, commit: string): Promise<FreshnessJudge> {
  return judgeOfTree((await treeFiles(checkout.root, commit, '', env)) ?? [], format);
}

/** The judge of anchors as of a tree with these files. */
export function judgeOfTree(files: { path: string; blob: string }[], format: 'sha1' | 'sha256'): FreshnessJudge {
  const blobs = new Map(files.map(({ path, blob }) => [path, blob]));
  const paths = new Map<string, string[]>();
  for (const { path, blob } of files) paths.set(blob, [...(paths.get(blob) ?? []), path]);
  return createFreshness({
    root: '/',
    format,
    look(path) {
      const own = blobs.get(path);
      return own === undefined ? undefined : (blob) => blob === own;
    },
    pathsOf: (blob) => paths.get(blob) ?? [],
  });
}

/** What the index knows about files that the working tree lacks. */
function readIndex(root: string, listing: string): Pick<Elsewhere, 'pathsOf' | 'leftOut'> {
  const paths = new Map<string, string[]>();
  const skipped = new Map<string, string>();
  const submodules: string[] = [];
  for (const line of listing.split('\0')) {
    const [, tag, mode, blob, path] = /^(\S) (\d+) ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
    if (blob === undefined || path === undefined) continue;
    if (mode === '160000') submodules.push(path);
    // Left out by a sparse checkout.
    else if (tag === 'S') skipped.set(path, blob);
    else paths.set(blob, [...(paths.get(blob) ?? []), path]);
  }
  return {
    pathsOf: (blob) => paths.get(blob) ?? [],
    leftOut(path) {
      const blob = skipped.get(path);
      if (blob !== undefined) return { blob };
      const around = submodules.find((folder) => path.startsWith(`${folder}/`));
      return around !== undefined && !isCheckedOut(join(root, around)) ? 'hidden' : undefined;
    },
  };
}

function isCheckedOut(submodule: string): boolean {
  return lstatSync(join(submodule, '.git'), { throwIfNoEntry: false }) !== undefined;
}
