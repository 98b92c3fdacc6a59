import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../user-folders.ts';
import { type CommandUse, commandGit } from './git.ts';
import type { Checkout } from './locate.ts';
import { runGit } from './objects.ts';

/** Runs a git command that writes; returns its output, trimmed. Throws git. */
export type Asker = (args: string[], options?: Pick<CommandUse, 'input' | 'config' | 'variables'>) => Promise<string>;

export function writingGit({ root }: Checkout, env: Environment): Asker {
  return async (args, options) => (await commandGit(root, args, env, options)).trim();
}

/**
 * Writes a commit through an index of its own, so that the checkout and its index stay as they are: the tree of `base`,
 * if given, with these blobs at their paths. Throws git.
 */
export async function scratchCommit(
  checkout: Checkout,
  env: Environment,
  {
    base,
    blobs,
    parents,
    subject,
  }: { base?: string; blobs: [path: string, blob: string][]; parents: string[]; subject: string },
): Promise<string> {
  const ask = writingGit(checkout, env);
  const index = join(checkout.gitDir, `git-mem-${randomBytes(6).toString('hex')}`);
  const variables = { GIT_INDEX_FILE: index };
  try {
    if (base !== undefined) await ask(['read-tree', base], { variables });
    const entries = blobs.map(([path, blob]) => `100644 ${blob}\t${path}\0`);
    await ask(['update-index', '--add', '-z', '--index-info'], { variables, input: entries.join('') });
    const tree = await ask(['write-tree'], { variables });
    const known = await runGit(checkout.root, ['-c', 'user.useConfigOnly=true', 'var', 'GIT_COMMITTER_IDENT'], env);
    // Containers often have no author configured, and such a commit needs none.
    const config = known === undefined ? ['user.name=git-mem', 'user.email=git-mem@localhost'] : [];
    const on = parents.flatMap((parent) => ['-p', parent]);
    return await ask(['commit-tree', ...on, tree], { config, input: `${subject}\n` });
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}
