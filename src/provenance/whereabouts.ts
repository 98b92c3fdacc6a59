import { join } from 'node:path';
import { textOf } from '../git/locate.ts';
import { readBlobs, runGit, type TreeFile, treeFiles } from '../git/objects.ts';
import { isSparse } from '../git/shallow.ts';
import { lstatSync } from '../looks.ts';
import { blobId } from '../memory/id.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { boundFiles, type Filed } from './bound-names.ts';
import {
  type CitedFile,
  type Content,
  contentOf,
  judged,
  type RecordFreshness,
  UNKNOWN,
  type Whereabouts,
} from './freshness.ts';
import { FEW_COMMITS, isWalked, walkAdditions } from './recorded-walk.ts';
import { keptRenames, learnAll, openRenames, renamesAt } from './renamed-files.ts';
import { workingContents } from './working-file.ts';

const EMPTY = [blobId(''), blobId('', 'sha256')];

type FreshnessOf = (blob: string) => RecordFreshness;

/**
 * The freshness of these records, for hooks and commands alike: from the files that they cite, and from what is kept
 * about them. What is not kept yet, a command computes if that is quick; with `isHook`, history is not searched. Git is
 * not asked at all if every cited file is in place and all records were judged before.
 */
export async function freshnessOf(
  workspace: Workspace,
  records: readonly Filed[],
  { isHook = false }: { isHook?: boolean } = {},
): Promise<FreshnessOf> {
  const { checkout, format, at } = workspace;
  if (records.length === 0) return () => UNKNOWN;
  if (at !== undefined) return freshnessAt(workspace, records, at);
  const isComplete = isHook ? isWalked(workspace) : await walkAdditions(workspace, { most: FEW_COMMITS });
  const content = workingContents(checkout.root, format);
  const cited = await boundFiles(workspace, records, { working: content, isComplete });
  const paths = new Set([...cited.values()].flat().map(({ path }) => path));
  const missing = [...paths].filter((path) => content(path) === 'missing');
  const files =
    missing.length === 0
      ? { content, nowAt: () => 'unknown' as const }
      : await lookFor(workspace, missing, { content, isHook });
  return judging(cited, files);
}

/** The files at their paths: in the working tree, or as of the commit, by their blobs alone. */
export async function contentNow({ checkout, format, at, env }: Workspace): Promise<Whereabouts['content']> {
  if (at === undefined) return workingContents(checkout.root, format);
  return filesOfTree((await treeFiles(checkout.root, at, '', env)) ?? [], new Map()).content;
}

/** Where the files are that the working tree lacks. */
async function lookFor(
  workspace: Workspace,
  missing: readonly string[],
  { content, isHook }: { content: Whereabouts['content']; isHook: boolean },
): Promise<Whereabouts> {
  const { checkout, env } = workspace;
  const hidden = await leftOut(workspace, missing);
  const isLeftOut = (path: string) => hidden.has(path);
  const renames = isHook ? keptRenames(workspace, isLeftOut) : await openRenames(workspace, { isLeftOut });
  // A new name may be left out too, and counts only once that is known.
  const lookForNew = async () => {
    for (const [path, one] of await leftOut(workspace, renames.all())) hidden.set(path, one);
  };
  await lookForNew();
  for (const path of missing) if (!hidden.has(path)) renames.nowOf(path);
  if (!isHook && (await learnAll(renames))) await lookForNew();
  const blobs = [...hidden.values()].flatMap((one) => (one === 'hidden' ? [] : [one.blob]));
  const contents = await readBlobs(checkout.root, blobs, env);
  return {
    content(path) {
      const left = hidden.get(path);
      if (left === undefined) return content(path);
      return left === 'hidden' ? 'unknown' : blobContent(left.blob, contents.get(left.blob));
    },
    nowAt: ({ path }) => renames.fateOf(path),
  };
}

/** The freshness as of a commit: its tree takes the place of the working tree. */
async function freshnessAt(workspace: Workspace, records: readonly Filed[], commit: string): Promise<FreshnessOf> {
  const { checkout, env } = workspace;
  const tree = (await treeFiles(checkout.root, commit, '', env)) ?? [];
  const places = new Map(tree.map(({ path, blob }) => [path, blob]));
  const renames = renamesAt(workspace, commit, (path) => places.has(path));
  const isComplete = await walkAdditions(workspace, { most: FEW_COMMITS });
  const cited = await boundFiles(workspace, records, { working: () => 'unknown', isComplete });
  const paths = new Set([...cited.values()].flat().map(({ path }) => path));
  for (const path of paths) renames.nowOf(path);
  await learnAll(renames);
  const wanted = [...paths].flatMap((path) => places.get(path) ?? places.get(renames.nowOf(path) ?? '') ?? []);
  return judging(cited, filesOfTree(tree, await readBlobs(checkout.root, wanted, env), renames.fateOf));
}

/**
 * The files of a tree, with the contents that are known. Without history, a missing file is found only if its content
 * is at another path, and is never called gone.
 */
export function filesOfTree(
  tree: readonly TreeFile[],
  contents: ReadonlyMap<string, Buffer>,
  fateOf?: (path: string) => { path: string } | 'gone' | 'unknown',
): Whereabouts {
  const places = new Map(tree.map(({ path, blob }) => [path, blob]));
  // All empty files share a blob, so it identifies none.
  const full = tree.filter(({ blob }) => !EMPTY.includes(blob));
  const paths = new Map(full.map(({ path, blob }) => [blob, path]));
  return {
    content(path) {
      const blob = places.get(path);
      return blob === undefined ? 'missing' : blobContent(blob, contents.get(blob));
    },
    nowAt({ path, blobs }) {
      if (fateOf !== undefined) return fateOf(path);
      const copy = blobs.map((blob) => paths.get(blob)).find((one) => one !== undefined);
      return copy === undefined ? 'unknown' : { path: copy };
    },
  };
}

function judging(cited: ReadonlyMap<string, CitedFile[]>, files: Whereabouts): FreshnessOf {
  const known = new Map<string, RecordFreshness>();
  return (blob) => {
    const freshness = known.get(blob) ?? judged(cited.get(blob) ?? [], files);
    known.set(blob, freshness);
    return freshness;
  };
}

/** A blob as the content of a file; without its bytes, only `is` can be answered. */
export function blobContent(blob: string, bytes: Buffer | undefined): Content {
  const is = (other: string) => other === blob;
  return bytes === undefined ? { is, has: () => undefined } : contentOf(bytes, is);
}

/** Most paths on one command line, which Windows limits to 32,767 characters. */
const MOST_PATHS = 400;

/**
 * Files that the working tree lacks although they are not removed: the blob of one that a sparse checkout leaves out;
 * `hidden` in a submodule that is not checked out. Git is asked in sparse checkouts only, about these paths.
 */
async function leftOut(
  { checkout: { root, gitDir }, env }: Workspace,
  missing: readonly string[],
): Promise<Map<string, { blob: string } | 'hidden'>> {
  const found = new Map<string, { blob: string } | 'hidden'>();
  const submodules = unusedSubmodules(root);
  for (const path of missing) {
    if (submodules.some((folder) => path.startsWith(`${folder}/`))) found.set(path, 'hidden');
  }
  if (missing.length === 0 || !isSparse(gitDir)) return found;
  for (let at = 0; at < missing.length; at += MOST_PATHS) {
    const paths = missing.slice(at, at + MOST_PATHS).map((path) => `:(top,literal)${path}`);
    const listing = (await runGit(root, ['ls-files', '-s', '-t', '-z', '--', ...paths], env)) ?? '';
    for (const line of listing.split('\0')) {
      // S: skipped in the working tree.
      const [, blob, path] = /^S \d+ ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
      if (blob !== undefined && path !== undefined) found.set(path, { blob });
    }
  }
  return found;
}

/** The folders of submodules that are not checked out. */
function unusedSubmodules(root: string): string[] {
  const text = textOf(join(root, '.gitmodules')) ?? '';
  const folders = [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) => path);
  return folders.filter((path) => lstatSync(join(root, path, '.git'), { throwIfNoEntry: false }) === undefined);
}
