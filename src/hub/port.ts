import type { EffectiveState } from '../memory/marks.ts';
import type { Kind, MemoryRecord } from '../memory/record.ts';
import type { Freshness } from '../provenance/levels.ts';

/**
 * The hub: one index of many repositories' memories, with the rights of the forge. Everything that is served goes through
 * this port; what lies behind it (PostgreSQL or PGlite) is derived from git and may be dropped at any time.
 */
export interface Hub {
  readonly engine: HubEngine;

  /** Who a principal is and what may be read; throws `refused` if nobody has confirmed the rights within RIGHTS_AGE_MS. */
  viewerOf(principal: number, scopes?: readonly TokenScope[]): Promise<Viewer>;

  // Reading. Each answer holds nothing of a repository that the viewer may not read: no row, count, name or facet.
  /** The repositories that the viewer may read, by name. */
  repositories(viewer: Viewer): Promise<HubRepository[]>;
  search(viewer: Viewer, question: HubQuestion): Promise<HubAnswer>;
  /** Whole records of one repository in the order of their ids; ids that are not there, or not allowed, are left out. */
  records(viewer: Viewer, repository: string, ids: readonly string[]): Promise<HubRecord[]>;
  /** What names a record of its repository: marks, with their undos, and observations and summaries. */
  mentions(viewer: Viewer, repository: string, id: string): Promise<{ marks: HubRecord[]; citing: HubCard[] }>;
  /** A page of all records that pass the filter, newest first. */
  feed(viewer: Viewer, filter: HubFilter, page: HubPage): Promise<HubFeed>;
  /** The values to filter by, with their counts, commonest first. */
  facets(viewer: Viewer, filter: HubFilter): Promise<HubFacets>;
  /** What needs attention, for each team and repository. */
  insight(viewer: Viewer): Promise<HubInsight[]>;

  // Principals and rights.
  /** Finds or creates the principal of a subject (`oidc:ISSUER#SUB`, `github:ID`, `service:NAME`). */
  principal(subject: string, name: string): Promise<number>;
  principals(): Promise<{ id: number; subject: string; name: string }[]>;
  /**
   * Replaces what one source (`file`, `github`, ...) says of the named principals at a time. With `complete` the entries
   * are all that the source has, so principals that it does not name lose what it gave them. Unknown repositories are ignored.
   */
  putAccess(source: string, entries: readonly AccessEntry[], at: Date, options?: { complete?: boolean }): Promise<void>;

  // Service tokens. Only a hash is stored.
  createToken(token: NewToken): Promise<{ id: string; secret: string }>;
  /** The token behind a secret; undefined for one that is unknown, expired or revoked. */
  tokenOf(secret: string): Promise<HubToken | undefined>;
  tokens(): Promise<HubToken[]>;
  /** Tells whether there was such a token to revoke. */
  revokeToken(id: string): Promise<boolean>;

  // Sessions of people who signed in. Only a hash is stored.
  createSession(principal: number, expires: Date): Promise<string>;
  /** The principal of a session; undefined for one that is unknown or has ended. */
  sessionOf(secret: string): Promise<number | undefined>;
  endSession(secret: string): Promise<void>;

  // Operation.
  /** Adds a line to the audit log: who did what. */
  note(entry: AuditEntry): Promise<void>;
  /** The newest lines of the audit log that pass, newest first. */
  audit(filter: AuditFilter): Promise<AuditLine[]>;
  /** Removes audit lines, sessions and tokens that ended before a time; returns how many lines. */
  retain(since: Date): Promise<number>;
  /** Asks the workers to sync a repository, by its name or an address of it; false if the hub has no such repository. */
  requestSync(repository: string): Promise<boolean>;
  /** The state of every repository's sync, for operators: no rights apply. */
  status(): Promise<HubStatus>;
  /** The model that finds records by meaning, for operators; undefined where none is configured. */
  vectors(): Promise<VectorStatus | undefined>;
  /** Syncs what is due, or with `all` every repository, and ends; reports each. */
  sync(options: { all?: boolean; onSynced?: (synced: SyncedRepository) => void }): Promise<void>;
  /**
   * Syncs what waits, and what was not looked at for as long as the configuration says, until the signal. Reports each
   * repository that it looked at, and once when the database stops to answer: it goes on when it answers again.
   */
  work(
    signal: AbortSignal,
    report?: { onSynced?: (synced: SyncedRepository) => void; onOutage?: (problem: string) => void },
  ): Promise<void>;
  close(): Promise<void>;
}

export type HubEngine = 'postgres' | 'pglite';

/**
 * Rights that nobody has confirmed for longer than this are refused, in milliseconds: the longest that somebody who lost
 * them can still read while the code host does not answer.
 */
export const RIGHTS_AGE_MS = 3_600_000;

/** What a service token may do. */
export const TOKEN_SCOPES = ['read', 'sync', 'metrics'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** A person or a service, and what it may read at this moment. Made by `viewerOf` alone. */
export interface Viewer {
  principal: number;
  name: string;
  /** Numbers of the repositories that may be read. The database checks them against the rights once more. */
  repositories: readonly number[];
  /** The oldest confirmation among these rights. */
  rightsAt: Date;
  scopes: readonly TokenScope[];
}

/** What a source says that a principal may read. */
export interface AccessEntry {
  principal: number;
  /** Names of repositories as in the configuration. */
  repositories: readonly string[];
}

/** A repository as a reader sees it. */
export interface HubRepository {
  name: string;
  teams: string[];
  /** The address that may be shown, without a user part. */
  url: string;
  /** The indexed commit; empty before the first sync. */
  head: string;
  /** Live observations and summaries. */
  records: number;
  syncedAt?: Date;
  /** Why the last sync failed: what is served is the last state. */
  problem?: string;
}

/** `reviewed`: in the tree of the default branch. `unreviewed`: in an open pull request only. */
export type HubTrust = 'reviewed' | 'unreviewed';

/** Missing means everything; lists are alternatives. */
export interface HubFilter {
  repository?: readonly string[];
  team?: readonly string[];
  kind?: readonly Kind[];
  type?: readonly string[];
  concept?: readonly string[];
  /** A file, a folder or a glob, as `--file`. */
  file?: readonly string[];
  /** The person (git's name) or the agent that wrote it. */
  author?: readonly string[];
  /** A prefix of its id is enough. */
  session?: string;
  /** ISO 8601, both included. */
  since?: string;
  until?: string;
  trust?: HubTrust;
  /** Freshness at the indexed commit. */
  freshness?: Freshness;
  /** Include superseded, retired and redacted records. */
  all?: boolean;
}

export interface HubQuestion {
  text: string;
  filter?: HubFilter;
  limit: number;
  /** The text is prose, not a query: quotes and dashes have no meaning. */
  plain?: boolean;
  now?: Date;
}

/** A record as lists show it. */
export interface HubCard {
  repository: string;
  id: string;
  kind: Kind;
  type: string;
  title: string;
  /** The first sentences, as plain text; of a hit the sentence that answers best. */
  excerpt: string;
  /** ISO 8601, UTC. */
  created: string;
  author: string;
  session: string | null;
  branch: string | null;
  concepts: string[];
  files: string[];
  /** Its file in the repository. */
  path: string;
  trust: HubTrust;
  /** The number of the open pull request that has an unreviewed record; null for the others. */
  request: number | null;
  freshness: Freshness;
  state: EffectiveState;
  /** Ids of records of the same repository whose titles contradict this one's. */
  disputedBy: string[];
}

export interface HubHit extends HubCard {
  /** Comparable within one answer only. */
  score: number;
  /** How likely this bears on the question at all, 0 to 1. */
  confidence: number;
  /** Other repositories of the viewer that hold the same record: forks and copies. */
  also: string[];
}

export interface HubAnswer {
  hits: HubHit[];
  /** Number of matching records that were looked at. */
  total: number;
  tookMs: number;
  /** A sentence for the reader, such as that the model did not answer. */
  note?: string;
}

export interface HubRecord extends HubCard {
  record: MemoryRecord;
  /** The indexed commit that holds it: of the default branch, or of its request. */
  head: string;
}

export interface HubPage {
  offset: number;
  limit: number;
}

export interface HubFeed {
  total: number;
  items: HubCard[];
}

export type Facet = { name: string; count: number }[];

export interface HubFacets {
  repository: Facet;
  team: Facet;
  type: Facet;
  concept: Facet;
  author: Facet;
  trust: Facet;
  freshness: Facet;
}

/** Counts of live records that need attention. */
export interface HubInsight {
  repository: string;
  teams: string[];
  records: number;
  /** Their cited files changed or are gone. */
  stale: number;
  unreviewed: number;
  /** Older than 90 days, and never read through the hub. */
  unused: number;
  disputed: number;
  /** Of the records, by type. */
  types: Facet;
}

export interface NewToken {
  principal: number;
  name: string;
  scopes: readonly TokenScope[];
  expires: Date;
}

export interface HubToken extends NewToken {
  /** Shown in lists; it is no secret. */
  id: string;
  created: Date;
  usedAt?: Date;
}

export interface AuditEntry {
  /** Undefined for what the hub does by itself. */
  principal?: number;
  /** `search`, `list`, `read`, `sign-in`, `token-created`, ... */
  action: string;
  /** The question, the filter of a list, or the ids that were read; cut to 500 characters. */
  subject: string;
  /** Names of the repositories that the answer came from. */
  repositories?: readonly string[];
}

/** Which lines of the audit log; missing means all. */
export interface AuditFilter {
  /** A subject (`github:ada`) or the name of a person or service, in any case. */
  who?: string;
  since?: Date;
  until?: Date;
  most: number;
}

export interface AuditLine {
  at: Date;
  /** Null for what the hub does by itself. */
  who: { subject: string; name: string } | null;
  action: string;
  subject: string;
  repositories: string[];
}

/** What became of one repository. */
export interface SyncedRepository {
  name: string;
  changed: boolean;
  /** Why it was not synced: what is served is the state before. */
  problem?: string;
}

export interface VectorStatus {
  model: string;
  /** Observations and summaries, and those of them without a vector. */
  records: number;
  missing: number;
  /** Why there are none, or no more of them, and what to do. */
  problem?: string;
  hint?: string;
}

/** One repository's sync, for operators. */
export interface RepositoryStatus {
  name: string;
  records: number;
  bytes: number;
  head: string;
  syncedAt?: Date;
  wantedAt?: Date;
  /** Failures in a row. */
  failures: number;
  problem?: string;
}

export interface HubStatus {
  repositories: RepositoryStatus[];
  records: number;
  /** Repositories that wait for a worker. */
  waiting: number;
  /** Seconds that the longest waiting one has waited. */
  oldestWaitSeconds: number;
  databaseBytes: number;
}
