/**
 * The protocol between the viewer's pages and its server: the JSON of every address, types only. The static site embeds
 * the same shapes in its page.
 */

import type { EffectiveState } from '../../memory/marks.ts';
import type { Kind, StoreName as Store } from '../../memory/record.ts';
import type { DigestTurn } from '../../memory/session-digest.ts';
import type { Freshness, Trust } from '../../provenance/levels.ts';
import type { Filter as Filters } from '../../records/card-filter.ts';
import type { Session } from '../../records/session.ts';
import type { Action, NewRecord } from './posted.ts';

export type { Action, Filters, Freshness, Kind, NewRecord, Session, Store, Trust };

/** What the feed shows of a record. */
export interface Card extends Omit<EffectiveState, 'verified_by'> {
  id: string;
  /** The name of its repository, where several are shown together. */
  repository?: string;
  kind: Kind;
  type: string;
  title: string;
  /** The first sentences, as plain text. */
  excerpt: string;
  /** ISO 8601, UTC. */
  created: string;
  /** The person's name, or the host. */
  author: string;
  session: string | null;
  branch: string | null;
  concepts: string[];
  files: string[];
  store: Store;
  trust: Trust;
  /** A person edited in this clone what was written here. */
  edited: boolean;
  freshness: Freshness;
  /** What its turns took in, as it is shown: `from web`. */
  inputs: string[];
}

/** A repository of a viewer that shows several. */
export interface Repository {
  name: string;
  /** The top of its checkout. */
  root: string;
  /** There is no memory at that place any more. */
  gone: boolean;
  /** Why it cannot be read, as a sentence. */
  problem: string | null;
}

/** A name for a filter, and how many of the records in lists have it. */
export interface Name {
  name: string;
  count: number;
}

/** GET /api/meta */
export interface Meta {
  /** The folder's name. */
  repository: string;
  /** Present if the viewer shows several; then every address takes `repository=NAME`. */
  repositories?: Repository[];
  branch: string | null;
  version: string;
  /** False in the static site: nothing can be written, and nothing changes. */
  live: boolean;
  /** Who is signed in, on a hub. */
  person?: string;
  /** Changes whenever any record may have changed. */
  revision: string;
  counts: Record<Kind, number>;
  /** Names for the filters, commonest first. */
  types: Name[];
  concepts: Name[];
  branches: Name[];
  /** ISO 8601; for the static site, when it was written. */
  at: string;
  /** What sessions write waits for a person (`capture.destination: inbox`). */
  inbox?: true;
}

/** GET /api/feed?offset=&limit=&FILTERS: newest first. */
export interface FeedPage {
  total: number;
  offset: number;
  revision: string;
  items: Card[];
}

/** GET /api/search?q=&limit=&FILTERS: best first. */
export interface SearchAnswer {
  query: string;
  took_ms: number;
  total: number;
  hits: FoundCard[];
  /** If nothing answers: the record that comes nearest. */
  nearest?: FoundCard;
}

export type FoundCard = Card & { score: number; snippet: string };

/** GET /api/inbox: newest first. */
export interface Inbox {
  records: WaitingRecord[];
}

/** A record that waits for a person. */
export interface WaitingRecord {
  id: string;
  type: string;
  title: string;
  created: string;
  /** What it says, one paragraph each. */
  texts: string[];
  files: string[];
  /** An observation as the editor takes it; a summary is accepted or dropped as it is. */
  draft?: NewRecord;
}

/** GET /api/sessions?limit=: newest first. */
export interface Sessions {
  total: number;
  /** `digest`: how its last turn ended, in the words of its answer; empty where that is not known. */
  sessions: (Session & { digest: string })[];
}

/** GET /api/sessions/ID */
export interface SessionPage extends Omit<Session, 'records'> {
  /** Oldest first. */
  turns: DigestTurn[];
  /** What it left, oldest first. */
  records: { id: string; type: string; title: string }[];
}

/** GET /api/context: what `git mem context --json` prints, with titles, and what the last session got. */
export interface ContextAnswer {
  text: string;
  tokens: number;
  /** The configured budget in tokens. */
  limit: number;
  /** The newest session that got any records, with those that were injected or read; not those that it left. */
  last: { session: string; title: string; started: string; records: { id: string; title: string }[] } | null;
  records: { id: string; title: string; reason: string; tokens: number; trust: Trust; freshness: Freshness }[];
  dropped: { id: string; title: string; reason: string }[];
}

/** GET /api/review?base=REV: `git mem diff` with the records' texts. */
export interface Review {
  base: string;
  head: string;
  /** The name asked for, or the default branch. */
  base_name: string;
  ok: boolean;
  /** The change in one sentence. */
  summary: string;
  sections: { key: string; title: string; level: 'error' | 'warn' | 'info'; items: ReviewItem[] }[];
}

export interface ReviewItem {
  id: string | null;
  title: string;
  path: string;
  note: string;
  trust: Trust | null;
  /** It is in the checkout and shown: a mark can be made on it. */
  here: boolean;
  files: string[];
  before: string | null;
  after: string | null;
}

/** GET /api/events, event `change`: something has to be reloaded. */
export interface ChangeEvent {
  revision: string;
  /** The repository that changed, where the viewer shows several. */
  repository?: string;
  /** Ids. */
  added: string[];
  edited: string[];
  removed: string[];
}

/** Any unsuccessful answer. */
export interface Failure {
  error: { code: string; message: string; hint: string | null };
}

/** The result of an action, POST /api/act. */
export interface Acted {
  id: string;
  path: string;
  /** False if an identical record or mark already existed. */
  created: boolean;
}
