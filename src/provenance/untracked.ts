import { join } from 'node:path';
import { reviewedBranch } from '../git/default-branch.ts';
import { askGit, type GitOptions, runGit } from '../git/objects.ts';
import { worktreeRoots } from '../git/worktrees.ts';
import { keptFolder } from '../kept/facts.ts';
import { existsSync } from '../looks.ts';
import { FOLDERS } from '../memory/file-name.ts';
import { held, release } from '../memory/store/held.ts';
import type { Entry } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { counted } from '../quantities.ts';

/** The files below folders that git neither tracks nor ignores, sorted; undefined if git does not answer. */
export async function untrackedFiles(
  { checkout: { root }, env }: Pick<Workspace, 'checkout' | 'env'>,
  { below = ['.memory'], ...options }: GitOptions & { below?: string[] } = {},
): Promise<string[] | undefined> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', ...below];
  return (await runGit(root, args, env, options))?.split('\0').filter(Boolean);
}

/** Most folders of months that are looked at one by one: a branch may add any number. */
const MOST_MONTHS = 400;

/** The files of the team's records that git does not track yet; none if it does not answer. */
export async function untrackedRecords(workspace: Pick<Workspace, 'checkout' | 'env' | 'stores'>): Promise<string[]> {
  const { root, gitDir, commonDir } = workspace.checkout;
  const { files, dir } = workspace.stores.team;
  const kinds = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark];
  const months = kinds.flatMap((kind) => files.names(kind).map((name) => `${kind}/${name}`));
  if (months.length === 0) return [];
  const isDeclared = months.length <= MOST_MONTHS;
  if (isDeclared) for (const folder of [...kinds, ...months]) files.state(folder);
  for (const place of [root, dir]) existsSync(join(place, '.gitignore'));
  for (const path of [join(gitDir, 'index'), join(commonDir, 'info/exclude')]) existsSync(path);
  const below = isDeclared ? months.map((folder) => `.memory/${folder}`) : undefined;
  const untracked = (await untrackedFiles(workspace, { isDeclared, ...(below && { below }) })) ?? [];
  return untracked.filter((path) => /^\.memory\/(?:observations|summaries|marks)\/.*\.md$/.test(path));
}

/** Records that git does not track yet, and how many of them belong to another branch than the one checked out. */
export interface Uncommitted {
  records: number;
  other_branch: number;
}

/** `3 records are not committed; 1 of them belongs to another branch, and waits for a commit there or your `git add`.` */
export function uncommittedSentence({ records, other_branch: others }: Uncommitted): string {
  const those = `${others} of them ${others === 1 ? 'belongs' : 'belong'} to another branch, and ${others === 1 ? 'waits' : 'wait'} for a commit there or your \`git add\``;
  return `${counted(records, 'record')} ${records === 1 ? 'is' : 'are'} not committed${others === 0 ? '' : `; ${those}`}.`;
}

/** `1 record was edited since its review; the reviewed text counts until the edit is reviewed: git mem diff.` */
export function editedSentence(count: number): string {
  const which =
    count === 1 ? '1 record was edited since its review' : `${count} records were edited since their review`;
  return `${which}; the reviewed text counts until the edit is reviewed: \`git mem diff\`.`;
}

/** Lists the names of files that commits add. */
const NAMES = ['--diff-filter=A', '--name-only', '--no-renames', '--no-color', '--format=', '-z'];

/**
 * The records that this clone wrote and that are nowhere any more: in no worktree, and in no commit that a reference or
 * a reflog reaches. Asks git only if the checkout lacks a held one; none if git does not answer.
 */
export async function vanishedRecords(workspace: Workspace): Promise<Entry[]> {
  const { layout, format } = workspace;
  const missing = held(layout.state, format).entries.filter(({ path }) => !existsSync(join(layout.memory, path)));
  const oldest = missing.at(-1);
  if (oldest === undefined) return [];
  // No commit is older than the records it adds; a day is for clocks that disagree.
  const since = new Date(Date.parse(oldest.time) - 86_400_000).toISOString();
  const plain = ['-c', 'log.showSignature=false', '-c', 'log.showRoot=true', 'log', '--all', '--reflog'];
  const [committed, roots] = await Promise.all([
    askGit(workspace, [...plain, `--since=${since}`, '-m', ...NAMES, '--', '.memory']),
    worktreeRoots(workspace),
  ]);
  if (committed === undefined || roots === undefined) return [];
  const known = new Set(committed.split('\0').map((path) => path.trim()));
  return missing.filter(
    ({ path }) => !known.has(`.memory/${path}`) && !roots.some((root) => existsSync(join(root, '.memory', path))),
  );
}

/** Most ids that a sentence names; with more, `salvage` brings back all of them. */
const NAMED = 4;

/** `2 records of this clone vanished uncommitted: git mem salvage k3v9x2 p8w2q0 brings them back.` */
export function vanishedSentence(vanished: readonly Entry[]): string {
  const ids = vanished.length > NAMED ? '' : vanished.map(({ id }) => ` ${id.slice(0, 6)}`).join('');
  const them = vanished.length === 1 ? 'it' : 'them';
  return `${counted(vanished.length, 'record')} of this clone vanished uncommitted: \`git mem salvage${ids}\` brings ${them} back.`;
}

/** Releases the held files that the reviewed branch has. */
export async function releaseReviewed(workspace: Workspace): Promise<void> {
  const { state } = workspace.layout;
  const { entries } = held(state, workspace.format);
  const { ref } = reviewedBranch(workspace);
  if (entries.length === 0 || ref === undefined) return;
  const reviewed = new Set((await keptFolder(workspace, ref, '.memory'))?.map(({ path }) => path));
  const there = entries.filter(({ path }) => reviewed.has(`.memory/${path}`));
  release(state, there);
}
