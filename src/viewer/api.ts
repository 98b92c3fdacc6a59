import type { Library } from './library.ts';

/** One request of a page. */
export interface Request {
  /** Below `/api/`. */
  path: string;
  query: URLSearchParams;
  /** Undefined for a question. */
  body: unknown;
}

/** Answers a request in the shape that `protocol.ts` says; undefined where nothing is at this path. Throws GitMemError. */
export async function answer(library: Library, { path, query, body }: Request, now: Date): Promise<unknown> {
  const [name = '', ...rest] = path.split('/').map(decodeURIComponent);
  if (body === undefined) {
    switch (name) {
      case 'meta':
        return (await import('./api/meta.ts')).meta(library, now);
    }
  }
  return void [rest, query];
}
