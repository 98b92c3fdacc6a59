import type {
  HubAnswer,
  HubCard,
  HubFacets,
  HubFeed,
  HubFilter,
  HubPage,
  HubQuestion,
  HubRecord,
  HubRepository,
} from './port-reading.ts';

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

  // Principals and rights.
  /** Finds or creates the principal of a subject (`oidc:ISSUER#SUB`, `github:ID`, `service:NAME`). */
  principal(subject: string, name: string): Promise<number>;
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
  /** Syncs what is due, of these alone where they are named, or with `all` every repository, and ends; reports each. */
  sync(options?: {
    all?: boolean;
    names?: readonly string[];
    onSynced?: (synced: SyncedRepository) => void;
  }): Promise<void>;
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

// The port's part for operators: tokens, the audit log and the state of the syncs.

/** What a service token may do. */
export const TOKEN_SCOPES = ['read', 'sync', 'metrics'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

interface NewToken {
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

interface AuditEntry {
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
interface AuditFilter {
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
  /** Records that a redaction withholds, and the repositories whose redaction withholds the same file here. */
  withheld: number;
  withheldBy: string[];
}

export interface HubStatus {
  repositories: RepositoryStatus[];
  records: number;
  /** Repositories that wait for a worker. */
  waiting: number;
  /** Seconds that the longest waiting one has waited. */
  oldestWaitSeconds: number;
  databaseBytes: number;
  /** Seconds since any right was confirmed: more than the time between two rounds, and they fail. */
  rightsAgeSeconds: number;
  /** Whether the database checks rights once more behind every answer. */
  hasWall: boolean;
}
