import { GitMemError } from '../../errors.ts';
import { runGit } from '../../git/objects.ts';
import { scratchCommit, writingGit } from '../../git/scratch-commit.ts';
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
  const ask = writingGit(checkout, env);
  const ref = `refs/heads/${branch}`;
  const name = await runGit(checkout.root, ['check-ref-format', '--branch', branch], env);
  if (name?.trim() !== branch) throw new GitMemError('bad-input', `"${branch}" is not a valid branch name.`);
  if ((await runGit(checkout.root, ['rev-parse', '--verify', '--quiet', ref], env)) !== undefined) {
    throw new GitMemError('bad-input', `A branch ${branch} exists already.`, { hint: 'Give another name.' });
  }
  const blobs: [string, string][] = [];
  for (const { path, bytes } of records.map(recordFile)) {
    const blob = await ask(['hash-object', '-w', '--no-filters', '--stdin'], { input: bytes.toString('utf8') });
    blobs.push([`.memory/${path}`, blob]);
  }
  const commit = await scratchCommit(checkout, env, { base: 'HEAD', blobs, parents: ['HEAD'], subject });
  await ask(['update-ref', ref, commit, '0'.repeat(commit.length)]);
  return commit;
}
