import { createHash, randomBytes } from 'node:crypto';
import { GitMemError } from '../../errors.ts';
import { idOf } from '../../memory/id.ts';
import { type Database, present } from '../database/database.ts';
import { RIGHTS_AGE } from '../database/migrate.ts';
import { TOKEN_SCOPES, type TokenScope, type Viewer } from '../port.ts';

/** What a source says a principal may read. */
export interface AccessEntry {
  principal: number;
  /** Names of repositories as in the configuration. */
  repositories: readonly string[];
}

/**
 * Who may read what, tokens of services and sessions of people; the database holds only hashes of their secrets.
 * Long because each member is one statement or two.
 */
export function openRights(database: Database) {
  const { query } = database;
  return {
    /** Who a principal is and what it may read; throws `refused` without any right confirmed within RIGHTS_AGE. */
    async viewerOf(principal: number, scopes: readonly TokenScope[] = TOKEN_SCOPES): Promise<Viewer> {
      const [found] = await query<{ name: string; known: number; repositories: number[] | null; at: Date }>(
        `SELECT p.name, count(a.repository)::int AS known,
           array_agg(a.repository ORDER BY a.repository) FILTER (WHERE a.at > now() - ${RIGHTS_AGE}) AS repositories,
           min(a.at) FILTER (WHERE a.at > now() - ${RIGHTS_AGE}) AS at
         FROM principal p LEFT JOIN (SELECT repository, max(at) AS at FROM access WHERE principal = $1 GROUP BY repository) a ON true
         WHERE p.number = $1 GROUP BY p.name`,
        [principal],
      );
      if (!found?.repositories) throw refused((found?.known ?? 0) > 0);
      return { principal, name: found.name, repositories: found.repositories, rightsAt: found.at, scopes };
    },
    /** Finds or creates the principal of a subject (`oidc:ISSUER#SUB`, `github:ID`, `service:NAME`). */
    async principal(subject: string, name: string): Promise<number> {
      const [row] = await query<{ number: number }>(
        `INSERT INTO principal (subject, name) VALUES ($1, $2)
         ON CONFLICT (subject) DO UPDATE SET name = excluded.name RETURNING number`,
        [subject, name],
      );
      return row?.number ?? 0;
    },
    /**
     * Replaces what one source (`file`, `github`, ...) says about the named principals, as of `at`. With `complete` the
     * entries are all that the source has: principals it does not name lose what it gave them. Ignores unknown repositories.
     */
    putAccess: (
      source: string,
      entries: readonly AccessEntry[],
      at: Date,
      { complete = false }: { complete?: boolean } = {},
    ): Promise<void> =>
      database.transaction(async (query) => {
        const pairs = entries.flatMap(({ principal, repositories }) =>
          repositories.map((name) => ({ principal, name })),
        );
        const named = entries.map(({ principal }) => principal);
        await query('DELETE FROM access WHERE source = $1 AND ($2 OR principal = ANY ($3))', [source, complete, named]);
        await query(
          `INSERT INTO access (principal, repository, source, at)
           SELECT DISTINCT principal, repository.number, $3, $4::timestamptz
           FROM unnest($1::integer[], $2::text[]) given(principal, name) JOIN repository USING (name)`,
          [pairs.map(({ principal }) => principal), pairs.map(({ name }) => name), source, at.toISOString()],
        );
      }),
    async createToken({ principal, name, scopes, expires }: NewToken): Promise<{ id: string; secret: string }> {
      const secret = newSecret('token');
      const id = idOf(secret);
      await query(
        'INSERT INTO token (id, hash, principal, name, scopes, created, expires) VALUES ($1, $2, $3, $4, $5, now(), $6)',
        [id, hashOf(secret), principal, name, scopes, expires.toISOString()],
      );
      return { id, secret };
    },
    /** The token of a secret; undefined if it is unknown, expired or revoked. */
    async tokenOf(secret: string): Promise<HubToken | undefined> {
      // Precise to the minute, so that not every question writes.
      const [token] = await query<HubToken>(
        `WITH seen AS (UPDATE token SET used_at = now()
           WHERE hash = $1 AND (used_at IS NULL OR used_at < now() - interval '1 minute'))
         SELECT ${TOKEN} FROM token WHERE hash = $1 AND expires > now()`,
        [hashOf(secret)],
      );
      return token && present(token);
    },
    tokens: async () => (await query<HubToken>(`SELECT ${TOKEN} FROM token ORDER BY created`)).map(present),
    /** Returns whether there was such a token. */
    revokeToken: async (id: string) => (await query('DELETE FROM token WHERE id = $1 RETURNING id', [id])).length > 0,
    async createSession(principal: number, expires: Date): Promise<string> {
      const secret = newSecret('session');
      const values = [hashOf(secret), principal, expires.toISOString()];
      await query('INSERT INTO session (hash, principal, expires) VALUES ($1, $2, $3)', values);
      return secret;
    },
    /** The principal of a session; undefined if it is unknown or has ended. */
    async sessionOf(secret: string): Promise<number | undefined> {
      const sql = 'SELECT principal FROM session WHERE hash = $1 AND expires > now()';
      const [session] = await query<{ principal: number }>(sql, [hashOf(secret)]);
      return session?.principal;
    },
    async endSession(secret: string): Promise<void> {
      await query('DELETE FROM session WHERE hash = $1', [hashOf(secret)]);
    },
  };
}

function refused(hadRights: boolean): GitMemError {
  if (!hadRights) return new GitMemError('refused', 'You may read none of the repositories of this hub.');
  return new GitMemError('refused', 'Your rights were not confirmed within the last hour, so nothing is shown.', {
    hint: 'The hub confirms them by itself as soon as the forge answers again.',
  });
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

const TOKEN = 'id, principal, name, scopes, created, expires, used_at AS "usedAt"';

/** A new secret with 256 random bits; the prefix lets scanners recognise one that leaked. */
function newSecret(kind: 'token' | 'session'): string {
  return `gmh_${kind[0]}_${randomBytes(32).toString('base64url')}`;
}

/** The hash stored for a secret. Secrets are random, so a fast hash is as good as a slow one. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
