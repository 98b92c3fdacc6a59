import type { Commit, History } from './history.ts';

/** Most commits of one pull request that are followed. */
const MOST_COMMITS = 50;

/** Finds the merge that added a commit: its message often has the pull request's text. */
export function mergesOf({ commits, merges }: History): (commit: Commit) => Commit | undefined {
  const known = new Map([...commits, ...merges].map((commit) => [commit.id, commit]));
  const mainline = new Set<string>();
  for (let at = firstOf(commits, merges); at; at = known.get(at.parents[0] ?? '')) mainline.add(at.id);
  const broughtBy = new Map<string, Commit>();
  // Oldest first: the first merge that added it is that of its pull request.
  for (const merge of merges.toReversed()) {
    let at = known.get(merge.parents[1] ?? '');
    for (let n = 0; at && n < MOST_COMMITS && !mainline.has(at.id) && !broughtBy.has(at.id); n++) {
      broughtBy.set(at.id, merge);
      at = at.parents.length === 1 ? known.get(at.parents[0] ?? '') : undefined;
    }
  }
  return (commit) => broughtBy.get(commit.id);
}

function firstOf(commits: Commit[], merges: Commit[]): Commit | undefined {
  const [commit] = commits;
  const [merge] = merges;
  return commit && merge ? (commit.order < merge.order ? commit : merge) : (commit ?? merge);
}

/** The number of the commit's own pull request, from its subject; undefined if it names none. */
export function requestOf({ subject }: Commit): string | undefined {
  return /\(#(\d+)\)\s*$/.exec(subject)?.[1] ?? /^Merge pull request #(\d+) /.exec(subject)?.[1];
}
