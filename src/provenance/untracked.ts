import { join } from 'node:path';
import { type GitOptions, runGit } from '../git/objects.ts';
import { existsSync } from '../looks.ts';
import { FOLDERS } from '../memory/file-name.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { counted } from '../quantities.ts';

/**
 * The files below `.memory/` that git neither tracks nor ignores, sorted, relative to the top of the checkout; undefined
 * if git does not answer.
 */
export async function untrackedFiles(
  { checkout: { root }, env }: Pick<Workspace, 'checkout' | 'env'>,
  options: GitOptions = {},
): Promise<string[] | undefined> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', '.memory'];
  return (await runGit(root, args, env, options))?.split('\0').filter(Boolean);
}

/** Largest folder of months, in bytes, of which each is looked at: a branch may add any number. */
const MOST_BYTES = 4096;

/** The files of the team's records that git does not track yet; none where it does not answer. */
export async function untrackedRecords(workspace: Pick<Workspace, 'checkout' | 'env' | 'stores'>): Promise<string[]> {
  const { root, gitDir, commonDir } = workspace.checkout;
  const { team } = workspace.stores;
  const kinds = [FOLDERS.observation, FOLDERS.summary, FOLDERS.mark];
  const isDeclared = kinds.every((kind) => (team.files.state(kind)?.size ?? 0) <= MOST_BYTES);
  if (isDeclared)
    for (const kind of kinds) for (const name of team.files.names(kind)) team.files.state(`${kind}/${name}`);
  for (const dir of [root, team.dir]) existsSync(join(dir, '.gitignore'));
  for (const path of [join(gitDir, 'index'), join(commonDir, 'info/exclude')]) existsSync(path);
  const files = (await untrackedFiles(workspace, { isDeclared })) ?? [];
  return files.filter((path) => /^\.memory\/(?:observations|summaries|marks)\/.*\.md$/.test(path));
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

/** `1 record was edited since its review; the reviewed text counts (git mem diff).` */
export function editedSentence(count: number): string {
  const which =
    count === 1 ? '1 record was edited since its review' : `${count} records were edited since their review`;
  return `${which}; the reviewed text counts until the edit is reviewed: \`git mem diff\`.`;
}
