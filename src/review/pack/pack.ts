import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError } from '../../errors.ts';
import { defaultBranches } from '../../git/default-branch.ts';
import { readHead } from '../../git/locate.ts';
import { askGit } from '../../git/objects.ts';
import { operationIn } from '../../git/operation.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { syncFolder } from '../../memory/store/atomic.ts';
import { recordFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { readEverything } from '../../recall/query/read.ts';
import { type PackPlan, planPack } from './plan.ts';

/** Records younger than this are not packed, whatever the given date: sessions still build on them. */
const RECENT_MS = 30 * 86_400_000;

/**
 * Packs old records into one digest per month and kind, and removes their files: the only place where git-mem deletes a
 * record, so it does so only on request, only on the default branch, and only if git still has the content. The digests
 * are on disk before the first file is removed. Throws bad-input where it may not work, `git`.
 */
export async function pack(
  workspace: Workspace,
  { before, now, dryRun = false }: { before: string; now: Date; dryRun?: boolean },
): Promise<PackPlan & { paths: string[] }> {
  if (!dryRun) await requireQuiet(workspace);
  const recent = wholeSeconds(new Date(now.getTime() - RECENT_MS));
  const { records } = await readEverything(workspace);
  const plan = planPack(records, before < recent ? before : recent);
  if (dryRun) return { ...plan, paths: [] };
  const team = workspace.stores.team;
  const paths = await team.putNew(plan.digests.map(({ record }) => recordFile(record)));
  const folders = new Set<string>();
  for (const { path } of plan.removed) {
    rmSync(join(team.dir, path), { force: true });
    folders.add(join(team.dir, path, '..'));
  }
  for (const folder of folders) syncFolder(folder);
  return { ...plan, paths };
}

async function requireQuiet(workspace: Workspace): Promise<void> {
  const { checkout } = workspace;
  const [reference] = defaultBranches(workspace);
  const standard = reference?.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, '');
  const { branch, commit } = readHead(checkout);
  if (branch !== undefined && commit === undefined) {
    throw new GitMemError('bad-input', 'This repository has no commit yet.', {
      hint: 'Commit the records first: what packing removes must be in the history. `--dry-run` works anywhere.',
    });
  }
  if (standard === undefined || branch !== standard) {
    const where = branch === undefined ? 'HEAD is detached' : `this is ${branch}`;
    throw new GitMemError('bad-input', `Packing is for the default branch (${standard ?? 'main'}) alone; ${where}.`, {
      hint: 'Other branches may still name the records: switch first, and let them merge it. `--dry-run` works anywhere.',
    });
  }
  const unfinished = operationIn(checkout);
  if (unfinished) {
    throw new GitMemError('bad-input', `Git is in the middle of ${unfinished}.`, { hint: 'Finish or abort it first.' });
  }
  const question = ['status', '--porcelain', '-z', '--untracked-files=all', '--', ':(top).memory'];
  // A memory worth packing has many files, and git checks them one by one.
  const status = await askGit(workspace, question);
  if (status === undefined) throw new GitMemError('git', 'git status failed.', { hint: 'Run it by hand to see why.' });
  if (status !== '') {
    throw new GitMemError('bad-input', '.memory has changes that are not committed.', {
      hint: 'Commit them first: what packing removes must be in the history.',
    });
  }
}
