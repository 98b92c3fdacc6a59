import { type Database, LOCKS, present } from './database/database.ts';
import { hasWall } from './database/migrate.ts';
import { DUE_NOW } from './database/tables.ts';

/** Longest subject of an audit line, in characters: a question may be a whole page, and its beginning identifies it. */
const SUBJECT = 500;

export type HubStatus = Awaited<ReturnType<ReturnType<typeof openOperation>['status']>>;

/** The audit log, and what operators see. */
export function openOperation(database: Database) {
  const { query } = database;
  return {
    /** Adds a line to the audit log: who did what. */
    async note({ principal, action, subject, repositories = [], request, ms }: AuditEntry): Promise<void> {
      const text = subject.slice(0, SUBJECT).toWellFormed().replaceAll('\0', ' ');
      await query(
        `INSERT INTO audit (at, principal, action, subject, repositories, request, ms)
         VALUES (now(), $1, $2, $3, $4, $5, $6)`,
        [principal ?? null, action, text, repositories, request ?? null, ms === undefined ? null : Math.round(ms)],
      );
    },
    /** Matching lines of the audit log, the newest or the slowest first. */
    audit({ who, since, until, slowest = false, most }: AuditFilter): Promise<AuditLine[]> {
      return query<AuditLine>(
        `SELECT a.at, a.action, a.subject, a.repositories, a.request, a.ms,
           CASE WHEN p.number IS NOT NULL THEN jsonb_build_object('subject', p.subject, 'name', p.name) END AS who
         FROM audit a LEFT JOIN principal p ON p.number = a.principal
         WHERE ($1::text IS NULL OR lower($1) IN (lower(p.subject), lower(p.name)))
           AND ($2::timestamptz IS NULL OR a.at >= $2) AND ($3::timestamptz IS NULL OR a.at <= $3)
         ORDER BY CASE WHEN $5 THEN a.ms END DESC NULLS LAST, a.number DESC LIMIT $4`,
        [who ?? null, since?.toISOString() ?? null, until?.toISOString() ?? null, most, slowest],
      );
    },
    /** Removes audit lines from before a time, and sessions and tokens that expired before it; returns how many lines. */
    async retain(since: Date): Promise<number> {
      const before = [since.toISOString()];
      const gone = await query('DELETE FROM audit WHERE at < $1::timestamptz RETURNING number', before);
      await query('DELETE FROM session WHERE expires < $1::timestamptz', before);
      await query('DELETE FROM token WHERE expires < $1::timestamptz', before);
      return gone.length;
    },
    /** Asks the workers to sync a repository, given its name or an address of it; false if the hub does not have it. */
    async requestSync(repository: string): Promise<boolean> {
      const rows = await query(
        `UPDATE repository SET ${DUE_NOW}, failures = 0
         WHERE name = $1 OR lower(regexp_replace(url, '(\\.git)?/*$', '')) = lower(regexp_replace($1, '(\\.git)?/*$', ''))
         RETURNING number`,
        [repository],
      );
      return rows.length > 0;
    },
    /** The state of every repository's sync, for operators: no rights apply. */
    async status() {
      const rows = await query<RepositoryStatus>(
        `SELECT name, records, bytes::float8 AS bytes, head, synced_at AS "syncedAt", wanted_at AS "wantedAt", sync_ms AS "syncMs", failures, problem,
           (SELECT count(*)::int FROM withheld w WHERE w.repository = number) AS withheld,
           ARRAY(SELECT DISTINCT o.name FROM withheld w JOIN withheld t ON t.oid = w.oid AND t.target
             JOIN repository o ON o.number = t.repository
             WHERE w.repository = repository.number AND w.elsewhere ORDER BY o.name) AS "withheldBy"
         FROM repository ORDER BY name`,
      );
      const repositories = rows.map(present);
      const waiting = repositories.flatMap(({ wantedAt }) => (wantedAt && wantedAt <= new Date() ? [wantedAt] : []));
      const [database] = await query<{ bytes: number; age: number | null; syncing: number }>(
        `SELECT pg_database_size(current_database())::float8 AS bytes, (SELECT count(*)::int FROM pg_locks
             WHERE locktype = 'advisory' AND classid = ${LOCKS} AND objid > 0 AND database =
               (SELECT oid FROM pg_database WHERE datname = current_database())) AS syncing,
           (SELECT extract(epoch FROM now() - max(at))::float8 FROM access) AS age`,
      );
      const oldest = Math.min(Date.now(), ...waiting.map((at) => at.getTime()));
      return {
        repositories,
        records: repositories.reduce((sum, { records }) => sum + records, 0),
        /** Repositories being synced now, those waiting, and how long the first has waited. */
        syncing: database?.syncing ?? 0,
        waiting: waiting.length,
        oldestWaitSeconds: Math.round((Date.now() - oldest) / 1000),
        databaseBytes: database?.bytes ?? 0,
        /** Since any right was confirmed; more than the time between two rounds means that they fail. */
        rightsAgeSeconds: Math.max(0, Math.round(database?.age ?? 0)),
        /** Whether the database checks rights once more behind every answer. */
        hasWall: await hasWall(query),
      };
    },
  };
}

interface AuditEntry {
  /** Undefined for the hub's own actions. */
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

/** Conditions on lines of the audit log; missing means all. */
interface AuditFilter {
  /** A subject (`github:ada`) or the name of a person or service, in any case. */
  who?: string;
  since?: Date;
  until?: Date;
  /** The slowest answers first, instead of the newest. */
  slowest?: boolean;
  most: number;
}

interface AuditLine {
  at: Date;
  /** Null for the hub's own actions. */
  who: { subject: string; name: string } | null;
  action: string;
  subject: string;
  repositories: string[];
  request: string | null;
  ms: number | null;
}

/** One repository's sync, for operators. */
interface RepositoryStatus {
  name: string;
  records: number;
  bytes: number;
  head: string;
  syncedAt?: Date;
  wantedAt?: Date;
  /** How long the last sync that found something new took. */
  syncMs: number;
  /** Failures in a row. */
  failures: number;
  problem?: string;
  /** Records that a redaction withholds, and the repositories whose redaction withholds the same file here. */
  withheld: number;
  withheldBy: string[];
}
