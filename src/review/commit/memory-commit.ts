import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gitAtWork } from '../../git/git-processes.ts';
import { readGit, runGit } from '../../git/objects.ts';
import { moveBranch } from '../../git/reference.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { sweep } from '../../memory/store/sweep.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { OwnFile } from './own-files.ts';
import { branchOf, type Head, interruption } from './standstill.ts';
import { prepareIndex, takeBack, WRITING } from './user-index.ts';

/** Only three children use the scratch index: files that speed up a large index would be left behind. */
const PLAIN_INDEX = ['core.splitIndex', 'core.fsmonitor', 'core.untrackedCache', 'core.sparseCheckout', 'index.sparse'];

/**
 * Adds one commit with these files to the branch, made in a scratch index, so that nothing else can get into it. In the
 * user's index only the entries of these files change, together with the branch: staged changes and working tree
 * differences stay as they were. Returns the commit, or why there is none; then nothing has changed.
 */
export async function commitFiles(
  workspace: Workspace,
  files: OwnFile[],
  head: Head,
  { subject, now }: { subject: string; now: Date },
): Promise<{ commit: string } | { reason: string }> {
  const { checkout, env } = workspace;
  const tree = await treeWith(workspace, files, head.commit);
  if (tree === undefined) return { reason: 'the files changed in the meantime' };
  const made = await commitObject(workspace, tree, head.commit, subject);
  if (typeof made !== 'string') return made;
  const paths = files.map(({ path }) => path);
  const index = await prepareIndex(workspace, paths, '--add', scratchFile(workspace));
  if (index === undefined) return { reason: 'git could not write an index' };
  let hold = 'the branch moved, or its lock is held';
  let isIndexed = false;
  const change = { ref: head.ref, from: head.commit, to: made, reason: `commit (git-mem): ${subject}` };
  const isFree = () => {
    const atWork = gitAtWork(checkout);
    hold = atWork ?? hold;
    return atWork === undefined;
  };
  const whileLocked = async () => {
    // Signing may have taken a while.
    const busy = interruption(checkout, now);
    if (busy !== undefined) hold = busy;
    else if ((await branchOf(workspace)) !== head.ref) hold = 'another branch was checked out';
    else if (isFree()) {
      isIndexed = index.replace();
      hold = 'the index changed in the meantime, or is locked';
      // A busy disk may take a while too. A command that starts after this check finds the branch moved.
      return isIndexed && isFree();
    }
    return false;
  };
  try {
    const isMoved = await moveBranch(checkout, change, env, { scratch: scratchFile(workspace), isFree, whileLocked });
    if (isMoved) return { commit: made };
  } finally {
    index.drop();
  }
  if (isIndexed) await takeBack(workspace, paths, scratchFile(workspace));
  return { reason: hold };
}

/** The tree of the commit plus these files and nothing else; undefined if git stores different content for them. */
async function treeWith(workspace: Workspace, files: OwnFile[], commit: string): Promise<string | undefined> {
  const { checkout, env } = workspace;
  const index = scratchFile(workspace);
  const plain = PLAIN_INDEX.flatMap((key) => ['-c', `${key}=false`]);
  const run = (args: string[], input = '') =>
    readGit(checkout.root, [...plain, ...args], env, { ...WRITING, index, input });
  try {
    if ((await run(['read-tree', commit])) === undefined) return undefined;
    if ((await run(['update-index', '--add', '-z', '--stdin'], listOf(files))) === undefined) return undefined;
    // A filter, or an edit at this moment, gives a different blob than the one checked.
    const difference = await run(['diff-index', '--cached', '--raw', '-z', '--no-abbrev', '--no-renames', commit]);
    if (difference === undefined || !isExactly(difference.toString('utf8'), files)) return undefined;
    return (await run(['write-tree']))?.toString('latin1').trim();
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}

const SCRATCH = '.scratch-';

/** Path for a scratch index or reference, in the file system of the git directory. */
function scratchFile({ layout }: Workspace): string {
  const folder = join(layout.state, 'stage');
  createFolder(folder, 0o700);
  sweep(folder, { ageMs: LEFT_MS, nowMs: Date.now(), prefix: SCRATCH });
  return join(folder, `${SCRATCH}${randomBytes(6).toString('hex')}`);
}

/** A scratch file older than this was left by a killed process, in milliseconds: a commit takes minutes at most. */
const LEFT_MS = 3_600_000;

/** Tells whether a raw diff adds these files, as ordinary files with these blobs, and nothing else. */
function isExactly(difference: string, files: OwnFile[]): boolean {
  const parts = difference.split('\0').slice(0, -1);
  const added = new Map<string, string>();
  for (let i = 0; i < parts.length; i += 2) {
    const blob = /^:000000 100644 0+ ([0-9a-f]+) A$/.exec(parts[i] ?? '')?.[1];
    if (blob === undefined) return false;
    added.set(parts[i + 1] ?? '', blob);
  }
  return added.size === files.length && files.every(({ path, blob }) => added.get(path) === blob);
}

/**
 * A commit object, signed if the user signs commits; the author comes from git's configuration and is never guessed.
 */
async function commitObject(
  { checkout, env }: Workspace,
  tree: string,
  parent: string,
  subject: string,
): Promise<string | { reason: string }> {
  const ask = async (args: string[], input = '') =>
    (await runGit(checkout.root, args, env, { ...WRITING, input }))?.trim();
  const known = ['-c', 'user.useConfigOnly=true', '-c', 'i18n.commitEncoding=UTF-8'];
  for (const who of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    if (!(await ask([...known, 'var', who]))) return { reason: 'git knows no author (user.name and user.email)' };
  }
  const signs = (await ask(['config', '--type=bool', '--get', 'commit.gpgSign'])) === 'true';
  const args = ['commit-tree', ...(signs ? ['-S'] : []), '-p', parent, tree];
  const commit = await ask([...known, ...args], `${subject}\n`);
  return commit || { reason: signs ? 'the commit could not be signed' : 'git could not write the commit' };
}

function listOf(files: OwnFile[]): string {
  return files.map(({ path }) => `${path}\0`).join('');
}
