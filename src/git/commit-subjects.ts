import type { Environment } from '../user-folders.ts';
import { runGit } from './objects.ts';

/** A commit with its subject; null if this clone does not have it (any more). */
export interface CommitSubject {
  commit: string;
  subject: string | null;
}

export async function commitSubjects(
  root: string,
  commits: readonly string[],
  env: Environment,
): Promise<CommitSubject[]> {
  if (commits.length === 0) return [];
  const known = commits.filter((commit) => /^[0-9a-f]{7,64}$/.test(commit));
  const ask = ['log', '--no-walk=unsorted', '--ignore-missing', '--format=%H%x00%s', ...known, '--'];
  const output = known.length === 0 ? '' : ((await runGit(root, ask, env)) ?? '');
  const subjects = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [commit = '', subject = ''] = line.split('\0');
    subjects.set(commit, subject);
  }
  return commits.map((commit) => ({ commit, subject: subjects.get(commit) ?? null }));
}
