import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHead, readReference } from '../../git/locate.ts';
import { networkGit } from '../../git/network.ts';
import { type TreeFile, treeFiles } from '../../git/objects.ts';
import { missingObjects, remoteHead, WITHOUT_CONTENTS } from '../../git/partial-clone.ts';
import { idOf } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import type { Syncing } from './syncing.ts';

/** Our name for the remote's HEAD. */
const HEAD = 'refs/git-mem/head';

/** One commit without its history and without contents: some hundred kilobytes. */
const SMALL = ['--depth=1', '--no-tags', '--no-write-fetch-head', '--filter=blob:none'];

/** The commit that the HEAD of a remote, or of a folder, names; empty for a repository without one. */
export async function headOf(url: string, { env, signal }: Syncing): Promise<string> {
  return localHead(url) ?? (await remoteHead(url, env, { signal }));
}

/** The same without a process, for a folder of this machine whose references are files. */
function localHead(url: string): string | undefined {
  if (!url.startsWith('file:///')) return undefined;
  try {
    const root = fileURLToPath(url);
    const gitDir = [join(root, '.git'), root].find((folder) => existsSync(join(folder, 'HEAD')));
    return gitDir === undefined ? undefined : readHead({ root, gitDir, commonDir: gitDir }).commit;
  } catch {
    return undefined; // Git says what is wrong with the address.
  }
}

/** A copy of one commit's trees, to which contents are fetched as they are needed. */
export interface Mirror {
  root: string;
  head: string;
  files: TreeFile[];
  /** Fetches in one request which of these blobs of the memory are not here. */
  fetchBlobs(blobs: ReadonlySet<string>): Promise<void>;
  /** Removes everything: what was purged upstream must not stay here. */
  remove(): void;
}

/** Fetches the current commit of a remote into its mirror below a folder. Throws git. */
export async function fetchMirror(folder: string, url: string, syncing: Syncing): Promise<Mirror> {
  const root = join(folder, idOf(url));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    return await fetchInto(root, url, syncing, remove);
  } catch {
    syncing.signal.throwIfAborted();
    // Interrupted, or the remote was recreated with an unrelated history: once more from nothing.
    remove();
    return await fetchInto(root, url, syncing, remove);
  }
}

async function fetchInto(root: string, url: string, { env, signal }: Syncing, remove: () => void): Promise<Mirror> {
  const gitDir = join(root, '.git');
  const isNew = !existsSync(join(gitDir, 'HEAD'));
  if (isNew) {
    createFolder(root, 0o700);
    for (const folder of ['objects', 'refs']) mkdirSync(join(gitDir, folder), { recursive: true });
    writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  }
  writeFileSync(join(gitDir, 'config'), configOf(url));
  const git = (args: string[], input = '') =>
    networkGit(root, args, env, { settings: WITHOUT_CONTENTS, input, signal });
  await git(['fetch', '-q', ...SMALL, 'origin', `+HEAD:${HEAD}`]);
  const head = readReference(gitDir, HEAD) ?? '';
  const files = (await treeFiles(root, head, '', env)) ?? [];
  const memories = files.some(({ path }) => path.startsWith('.memory/')) ? [head] : [];
  return {
    root,
    head,
    files,
    remove,
    async fetchBlobs(blobs) {
      const wanted = isNew ? [...blobs] : (await missingObjects(root, memories, env)).filter((blob) => blobs.has(blob));
      if (wanted.length === 0) return;
      const fetch = ['fetch', '-q', '--no-tags', '--no-write-fetch-head', '--filter=blob:none', '--stdin', 'origin'];
      await git(fetch, `${wanted.join('\n')}\n`);
    },
  };
}

/** Git's settings of a mirror; a quoted value of git's configuration has two characters to escape. */
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
