import { plainSubject } from '../../provenance/revert-words.ts';
import { grouped } from '../../quantities.ts';
import type { Commit, History } from './history.ts';

/** Commits by the names that messages use for them. Each lookup gives nothing if no commit or several match. */
export interface Lookup {
  byId(start: string): Commit | undefined;
  byRequest(number: string): Commit | undefined;
  /** The newest commit with that subject that is older than `before`. */
  bySubject(subject: string, before: Commit): Commit | undefined;
}

export function createLookup({ commits, merges }: History): Lookup {
  const all = [...commits, ...merges];
  const byStart = grouped(all, ({ id }) => id.slice(0, 7));
  const bySubject = grouped(all, ({ subject }) => plainSubject(subject));
  const byRequest = grouped(all, (commit) => requestOf(commit) ?? '');
  const single = (some: Commit[]) => (some.length === 1 ? some[0] : undefined);
  return {
    byId: (start) =>
      single((byStart.get(start.slice(0, 7)) ?? []).filter(({ id }) => id.startsWith(start.toLowerCase()))),
    byRequest: (number) => single(byRequest.get(number) ?? []),
    bySubject: (subject, before) => {
      const older = (bySubject.get(plainSubject(subject)) ?? []).filter(({ order }) => order > before.order);
      return older.sort((a, b) => a.order - b.order)[0];
    },
  };
}

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
