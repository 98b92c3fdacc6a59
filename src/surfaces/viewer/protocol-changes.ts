/** Changes that pages ask the server to make; types only, like `protocol.ts`. */

export type { Action, NewRecord } from './posted.ts';

/** The result of an action, POST /api/act. */
export interface Acted {
  id: string;
  path: string;
  /** False if an identical record or mark already existed. */
  created: boolean;
}
