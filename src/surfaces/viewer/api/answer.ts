import type { Library } from '../library.ts';

/** One request of a page. */
export interface Request {
  /** Below `/api/`. */
  path: string;
  query: URLSearchParams;
  /** Undefined for a GET request. */
  body: unknown;
}

/** Answers a request in the shape given in `protocol.ts`; undefined if nothing is at this path. Throws GitMemError. */
export async function answer(library: Library, { path, query, body }: Request, now: Date): Promise<unknown> {
  const [name, ...rest] = decoded(path);
  if (body !== undefined) return rest.length > 0 ? undefined : answerPost(library, name, body, now);
  if (name === 'record') return answerRecord(library, rest);
  if (name === 'sessions') return answerSessions(library, rest, query, now);
  if (rest.length > 0) return undefined;
  switch (name) {
    case 'meta':
      return (await import('./lists.ts')).meta(library, now);
    case 'feed':
      return (await import('./lists.ts')).feed(library, query, now);
    case 'search':
      return (await import('./lists.ts')).searchFor(library, query, now);
    case 'inbox':
      return (await import('./lists.ts')).inbox(library);
    case 'context':
      return (await import('./sessions.ts')).context(library, now);
    case 'review':
      return (await import('./review.ts')).review(library, query);
    default:
      return undefined;
  }
}

async function answerRecord(library: Library, [id, ...more]: string[]): Promise<unknown> {
  if (id === undefined || more.length > 0) return undefined;
  return (await import('./record.ts')).recordPage(library, id);
}

async function answerSessions(library: Library, [id, ...more]: string[], query: URLSearchParams, now: Date) {
  if (more.length > 0) return undefined;
  const { sessionPage, sessions } = await import('./sessions.ts');
  return id === undefined ? sessions(library, query, now) : sessionPage(library, id, now);
}

async function answerPost(library: Library, name: string | undefined, body: unknown, now: Date): Promise<unknown> {
  return name === 'act' ? (await import('./act.ts')).act(library, body, now) : undefined;
}

function decoded(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return []; // Invalid UTF-8: nothing is at such a path.
  }
}
