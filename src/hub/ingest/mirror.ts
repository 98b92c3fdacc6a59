import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GitMemError } from '../../errors.ts';
import { commandGit } from '../../git/git.ts';
import { readHead, readReference } from '../../git/locate.ts';
import { networkGit, remoteHead, WITHOUT_CONTENTS } from '../../git/network.ts';
import { filesIn, readBlobs, type TreeFile } from '../../git/objects.ts';
import { MAX_RECORD_BYTES } from '../../memory/size.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import type { Environment } from '../../user-folders.ts';
import type { HubLimits } from '../config.ts';

/** Parameters of every step of a sync. */
export interface Syncing {
  env: Environment;
  /** Ends the sync: its time is over, or the process is shutting down. Uncommitted work is redone. */
  signal: AbortSignal;
}

/** How the problem of a repository that exceeds the limits begins. */
export const NOT_INDEXED = 'The repository is not indexed:';

/** The error for a repository beyond the limits. */
export function tooLarge(what: string): GitMemError {
  return new GitMemError('too-large', `${NOT_INDEXED} ${what}.`, {
    hint: '"limits" in hub.yaml; the state before is still served.',
  });
}

/** Our name for the remote's HEAD. */
const HEAD = 'refs/git-mem/head';

/** Fetch no contents except those asked for by name: a few hundred kilobytes. */
const QUIET = ['-q', '--no-tags', '--no-write-fetch-head', '--filter=blob:none'];

/** The commit that the HEAD of a remote, or of a folder, names; empty for a repository without one. */
export async function headOf(url: string, { env, signal }: Syncing): Promise<string> {
  return localHead(url) ?? (await remoteHead(url, env, signal));
}

/** The same without a process, for a folder on this machine whose references are files. */
function localHead(url: string): string | undefined {
  if (!url.startsWith('file:///')) return undefined;
  try {
    const root = fileURLToPath(url);
    const gitDir = [join(root, '.git'), root].find((folder) => existsSync(join(folder, 'HEAD')));
    return gitDir === undefined ? undefined : readHead({ root, gitDir, commonDir: gitDir }).commit;
  } catch {
    return undefined; // Git reports what is wrong with the address.
  }
}

/** One commit's trees; contents are fetched as needed. */
export interface Mirror {
  head: string;
  files: TreeFile[];
  /** The contents of blobs no larger than a record may be; this remote has to provide each. Throws too-large, git. */
  contentsOf(blobs: string[], limits: HubLimits): Promise<Map<string, Buffer>>;
}

/**
 * Provides the current commit of a remote, in a folder that is removed afterwards: what was purged upstream must not stay
 * here, and what another remote provided, or this one earlier, proves nothing. Throws git rather than take failure for empty.
 */
export async function withMirror<T>(
  folder: string,
  url: string,
  syncing: Syncing,
  use: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  // A killed worker may have left it.
  await remove();
  try {
    return await use(await fetchInto(folder, url, syncing));
  } finally {
    await remove();
  }
}

async function fetchInto(root: string, url: string, { env, signal }: Syncing): Promise<Mirror> {
  const gitDir = join(root, '.git');
  createFolder(root, 0o700);
  for (const folder of ['objects', 'refs']) mkdirSync(join(gitDir, folder), { recursive: true });
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(gitDir, 'config'), configOf(url));
  const fetch = (args: string[], input = '') =>
    networkGit(root, ['fetch', ...QUIET, ...args], env, { settings: WITHOUT_CONTENTS, input, signal });
  const local = (args: string[], input = '') => commandGit(root, args, env, { input, signal });
  await fetch(['--depth=1', 'origin', `+HEAD:${HEAD}`]);
  const head = readReference(gitDir, HEAD) ?? '';
  return {
    head,
    files: filesIn(await local(['ls-tree', '-r', '-z', '--full-tree', head])),
    async contentsOf(blobs, { megabytes }) {
      const input = `${blobs.join('\n')}\n`;
      await fetch(['--stdin', 'origin'], input);
      const sizes = await local(['cat-file', '--buffer', '--batch-check=%(objectname) %(objectsize)'], input);
      // Sizes first: a few bytes of a pack may be a file of gigabytes.
      const small = new Map(
        sizes
          .trimEnd()
          .split('\n')
          .map((line): [string, number] => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])])
          .filter(([, size]) => !(size > MAX_RECORD_BYTES)),
      );
      const bytes = [...small.values()].reduce((sum, size) => sum + size, 0);
      if (bytes > megabytes * 1e6) throw tooLarge(`its records have more than ${megabytes} MB`);
      const contents = await readBlobs(root, small.keys(), env);
      if (contents.size < small.size) throw new GitMemError('git', 'git cat-file did not give all records.');
      return contents;
    },
  };
}

/** A mirror's git configuration; quoted values there have two characters to escape. */
function configOf(url: string): string {
  const quoted = url.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '');
  return `[core]
\trepositoryformatversion = 1
\tbare = false
[remote "origin"]
\turl = "${quoted}"
\tpromisor = true
\tpartialclonefilter = blob:none
[extensions]
\tpartialclone = origin
`;
}
