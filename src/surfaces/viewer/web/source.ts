import { asError } from '../../../errors.ts';
import type {
  Acted,
  Action,
  ChangeEvent,
  ContextAnswer,
  FeedPage,
  Filters,
  Inbox,
  Meta,
  Review,
  SearchAnswer,
  SessionPage,
  Sessions,
} from '../protocol.ts';
import type { RecordPage } from '../record-protocol.ts';

/** Where the pages get their data: a running server, or the data inside a static page. */
export interface Source {
  meta(): Promise<Meta>;
  feed(filters: Filters, page: { offset: number; limit: number }, signal?: AbortSignal): Promise<FeedPage>;
  search(query: string, filters: Filters, limit: number, signal?: AbortSignal): Promise<SearchAnswer>;
  record(id: string, signal?: AbortSignal): Promise<RecordPage>;
  context(signal?: AbortSignal): Promise<ContextAnswer>;
  inbox(signal?: AbortSignal): Promise<Inbox>;
  sessions(limit: number, signal?: AbortSignal): Promise<Sessions>;
  session(id: string, signal?: AbortSignal): Promise<SessionPage>;
  review(base: string | undefined, signal?: AbortSignal): Promise<Review>;
  act(action: Action): Promise<Acted[]>;
  /** Ends the session of a hub and leaves the page. */
  signOut(): Promise<void>;
  /** Calls back whenever records changed, or may have changed unseen, until the returned function is called. */
  watch(
    onChange: (change: ChangeEvent) => void,
    onState: (isConnected: boolean) => void,
    onUnseen: () => void,
  ): () => void;
}

/** What went wrong, and the next step, on one line. */
export function problemWords(error: unknown): string {
  const { message, hint } = error instanceof SourceError ? error : { message: asError(error).message, hint: '' };
  return [message, hint].filter(Boolean).join(' ');
}

/** An error, in words for people. */
export class SourceError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.name = 'SourceError';
    this.code = code;
    this.hint = hint;
  }
}
