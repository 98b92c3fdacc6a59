import { plainSubject } from '../../provenance/revert-words.ts';
import type { Commit, History } from './history.ts';
import { requestOf } from './pull-requests.ts';

/** Commits by the names that messages use for them. Each lookup gives nothing if no commit or several match. */
export interface Lookup {
  byId(start: string): Commit | undefined;
  byRequest(number: string): Commit | undefined;
  /** The newest commit with that subject that is older than `before`. */
  bySubject(subject: string, before: Commit): Commit | undefined;
}

export function createLookup({ commits, merges }: History): Lookup {
  const byStart = new Map<string, Commit[]>();
  const byRequest = new Map<string, Commit[]>();
  const bySubject = new Map<string, Commit[]>();
  for (const commit of [...commits, ...merges]) {
    put(byStart, commit.id.slice(0, 7), commit);
    put(bySubject, plainSubject(commit.subject), commit);
    const request = requestOf(commit);
    if (request) put(byRequest, request, commit);
  }
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

export function put(map: Map<string, Commit[]>, key: string, commit: Commit): void {
  const known = map.get(key);
  if (known) known.push(commit);
  else map.set(key, [commit]);
}
