import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { COMMAND_PATIENCE_MS, type GitOptions, runGit } from '../../git/objects.ts';
import type { Observation } from '../../memory/record.ts';
import { recordFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/**
 * Writes a new branch with one commit on top of HEAD that adds these records and nothing else; returns the commit. The
 * checkout and its index stay as they are. Throws bad-input for an invalid or taken name, and git.
 */
export async function propose(
  { checkout, env }: Workspace,
  records: Observation[],
  { branch, subject }: { branch: string; subject: string },
): Promise<string> {
  const index = join(checkout.gitDir, `git-mem-distil-${randomBytes(6).toString('hex')}`);
  const ask = async (args: string[], options: GitOptions = {}) => {
    const output = await runGit(checkout.root, args, env, { ...WRITING, ...options });
    if (output === undefined) throw new GitMemError('git', `git ${args[0]} failed in ${checkout.root}.`);
    return output.trim();
  };
  const ref = `refs/heads/${branch}`;
  const name = await runGit(checkout.root, ['check-ref-format', '--branch', branch], env);
  if (name?.trim() !== branch) throw new GitMemError('bad-input', `"${branch}" is not a valid branch name.`);
  if ((await runGit(checkout.root, ['rev-parse', '--verify', '--quiet', ref], env)) !== undefined) {
    throw new GitMemError('bad-input', `A branch ${branch} exists already.`, { hint: 'Give another name.' });
  }
  try {
    await ask(['read-tree', 'HEAD'], { index });
    let entries = '';
    for (const { path, bytes } of records.map(recordFile)) {
      const blob = await ask(['hash-object', '-w', '--no-filters', '--stdin'], { input: bytes.toString('utf8') });
      entries += `100644 ${blob}\t.memory/${path}\0`;
    }
    await ask(['update-index', '--add', '-z', '--index-info'], { index, input: entries });
    const tree = await ask(['write-tree'], { index });
    const known = await runGit(checkout.root, ['-c', 'user.useConfigOnly=true', 'var', 'GIT_COMMITTER_IDENT'], env);
    // A CI container often has no git author; the person who merges the proposal answers for it.
    const author = known === undefined ? ['-c', 'user.name=git-mem', '-c', 'user.email=git-mem@localhost'] : [];
    const commit = await ask([...author, 'commit-tree', '-p', 'HEAD', tree], { input: `${subject}\n` });
    await ask(['update-ref', ref, commit, '0'.repeat(commit.length)]);
    return commit;
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}

const WRITING: GitOptions = { patienceMs: COMMAND_PATIENCE_MS, ending: 'SIGTERM' };
