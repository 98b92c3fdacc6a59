// What the hub takes and answers: rights, tokens, the audit log and the state of the syncs.

export type HubEngine = 'postgres' | 'pglite';

/** A person or a service, and what it may read at this moment. Made by `viewerOf` alone. */
export interface Viewer {
  principal: number;
  name: string;
  /** Numbers of the repositories that may be read. The database checks them against the rights once more. */
  repositories: readonly number[];
  /** The oldest confirmation among these rights. */
  rightsAt: Date;
  scopes: readonly TokenScope[];
  /** The id of the request, for the audit log. */
  request?: string;
}

/** What a source says that a principal may read. */
export interface AccessEntry {
  principal: number;
  /** Names of repositories as in the configuration. */
  repositories: readonly string[];
}

/** What a service token may do. */
export const TOKEN_SCOPES = ['read', 'sync', 'metrics'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

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
  request?: string | undefined;
  /** How long the answer took. */
  ms?: number;
}

/** Which lines of the audit log; missing means all. */
export interface AuditFilter {
  /** A subject (`github:ada`) or the name of a person or service, in any case. */
  who?: string;
  since?: Date;
  until?: Date;
  /** The slowest answers first, instead of the newest. */
  slowest?: boolean;
  most: number;
}

export interface AuditLine {
  at: Date;
  /** Null for what the hub does by itself. */
  who: { subject: string; name: string } | null;
  action: string;
  subject: string;
  repositories: string[];
  request: string | null;
  ms: number | null;
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
  /** How long the last sync took that found something new. */
  syncMs: number;
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
  /** Repositories that a worker syncs at this moment. */
  syncing: number;
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
