/**
 * What the viewer's pages and its server say to each other: the JSON of every address, types only. The static site holds
 * the same shapes in its page.
 */

import type { Kind, StoreName as Store } from '../../memory/record.ts';
import type { Freshness, Trust } from '../../provenance/levels.ts';

export type { Freshness, Kind, Store, Trust };

/** What the feed shows of a record without asking for its file. */
export interface Card {
  id: string;
  kind: Kind;
  type: string;
  title: string;
  /** The first sentences, as plain text. */
  excerpt: string;
  /** ISO 8601, UTC. */
  created: string;
  session: string | null;
  branch: string | null;
  concepts: string[];
  files: string[];
  store: Store;
  trust: Trust;
  /** A person edited here what this clone wrote. */
  edited: boolean;
  freshness: Freshness;
  pinned: boolean;
  verified: boolean;
  retired: boolean;
  /** The commit that took back what it tells of. */
  reverted_by: string | null;
  redacted: boolean;
  disputed: boolean;
  superseded_by: string[];
}

/** What narrows a feed or a search; absent means everything. Names are those of the page's own address, too. */
export interface Filters {
  kind?: Kind[];
  type?: string[];
  concept?: string[];
  /** Files, folders or globs. */
  file?: string[];
  branch?: string;
  /** The start of its id is enough. */
  session?: string;
  /** As `--since` and `--until` read them. */
  since?: string;
  until?: string;
  store?: Store;
  trust?: Trust;
  freshness?: Freshness;
  /** Superseded, retired and redacted records too. */
  all?: boolean;
}

/** GET /api/meta */
export interface Meta {
  /** The folder's name. */
  repository: string;
  branch: string | null;
  version: string;
  /** False in the static site: nothing can be written, and nothing changes. */
  live: boolean;
  /** Changes whenever any record may have changed. */
  revision: string;
  counts: Record<Kind, number>;
  /** Names that filters may take, the commonest first. */
  types: string[];
  concepts: string[];
  branches: string[];
  /** ISO 8601; of the static site, when it was written. */
  at: string;
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
  hits: (Card & { score: number; snippet: string })[];
}

export interface FileOfRecord {
  path: string;
  change: 'modified' | 'read';
  freshness: Freshness;
  /** Where the same content lies now, for one that moved. */
  now_at: string | null;
  /** Commits that changed it since, the newest last commit first named; null where git cannot tell. */
  commits_since: number | null;
  last_commit: Commit | null;
  /** On the code host, where it is known and has the file. */
  url?: string | undefined;
}

export interface Commit {
  commit: string;
  subject: string;
  author: string;
  /** ISO 8601. */
  at: string;
  /** On the code host, where it is known. */
  url?: string;
}

/** GET /api/record/ID: everything about one record. */
export interface RecordPage {
  card: Card;
  /** What follows the title; empty where nothing does. */
  subtitle: string;
  /** The body as Markdown, below the front matter. */
  markdown: string;
  /** The whole file. */
  raw: string;
  /** From the top of the repository; absolute in the private store. */
  path: string;
  facts: string[];
  files: FileOfRecord[];
  provenance: {
    by: string;
    extractor: string | null;
    prompt: string | null;
    prompt_number: number | null;
    trust_reason: string;
    /** The commit that added its file, and the one that brought the work. */
    added: Commit | null;
    landed: Commit | null;
    /** As merge and squash subjects name it: `#123` or `!123`. */
    pull_request: string | null;
    discovery_tokens: number | null;
    read_tokens: number;
  };
  /** Records that replace each other around this one; itself among them. */
  chain: {
    nodes: { id: string; title: string; state: 'live' | 'superseded' | 'retired' | 'missing' }[];
    /** From the older one to what replaces it. */
    edges: { from: string; to: string }[];
  };
  marks: {
    id: string;
    type: string;
    reason: string;
    /** Who decided it. */
    by: string;
    created: string;
    trust: Trust;
    active: boolean;
  }[];
  cited_by: Card[];
  /** Others of its session, oldest first. */
  session: Card[];
  /** Before and after it in time, oldest first, itself among them. */
  around: Card[];
}

/** GET /api/record/ID/change?file=PATH: a cited file as it was at capture against the working tree. */
export interface FileChange {
  path: string;
  /** Unified diff; null where the old content is not in this repository, empty where nothing changed. */
  diff: string | null;
  /** It was cut at a length that a page can show. */
  truncated: boolean;
}

/** GET /api/insight */
export interface Insight {
  /** Live observations and summaries a day (YYYY-MM-DD, UTC). */
  days: Record<string, number>;
  months: { month: string; types: Record<string, number> }[];
  types: { name: string; count: number }[];
  concepts: { name: string; count: number }[];
  /** Files with the records that cite them; `stale` of these are touched or gone. */
  files: { path: string; count: number; stale: number }[];
  trust: Record<Trust, number>;
  freshness: Record<Freshness, number>;
  tokens: {
    /** What the extractors spent, by provider; input and output tokens. Absent in a static site: it is a machine's affair. */
    spent?: { provider: string; tokens: number }[];
    /** What a session start costs now; absent in a static site as well. */
    injected?: number;
    /** The agents' work behind the records, and what reading those costs instead. */
    discovery: number;
    read: number;
    saved: number;
  };
}

/** GET /api/context?tokens=&observations=&…: exactly what `git mem context --json` prints. */
export interface ContextAnswer {
  text: string;
  tokens: number;
  /** What applies unless something else is tried. */
  settings: { tokens: number; observations: number; summaries: number };
  records: { id: string; title: string; reason: string; tokens: number; trust: Trust; freshness: Freshness }[];
  dropped: { id: string; title: string; reason: string }[];
}

/** GET /api/review?base=REV: `git mem diff` with the records' texts. */
export interface Review {
  base: string;
  head: string;
  /** The name that was asked for, or the default branch. */
  base_name: string;
  ok: boolean;
  size: { records: number; bytes: number };
  sections: { key: string; title: string; level: 'error' | 'warn' | 'info'; items: ReviewItem[] }[];
}

export interface ReviewItem {
  id: string | null;
  title: string;
  path: string;
  note: string;
  trust: Trust | null;
  before: string | null;
  after: string | null;
}

/** GET /api/events, event `change`: something has to be reloaded. */
export interface ChangeEvent {
  revision: string;
  /** Ids. */
  added: string[];
  edited: string[];
  removed: string[];
}

/** Any answer that is no success. */
export interface Failure {
  error: { code: string; message: string; hint: string | null };
}
