import { createHash, randomBytes } from 'node:crypto';
import { idOf } from '../../memory/id.ts';
import type { Database } from '../database/database.ts';
import type { Hub } from '../port.ts';
import type { HubToken } from '../port-operation.ts';

type Credentials = Pick<
  Hub,
  'createToken' | 'tokenOf' | 'tokens' | 'revokeToken' | 'createSession' | 'sessionOf' | 'endSession'
>;

const TOKEN = 'id, principal, name, scopes, created, expires, used_at AS "usedAt"';

/** Tokens of services and sessions of people; the database holds their hashes alone. */
export function openCredentials(database: Database): Credentials {
  const { query } = database;
  return {
    async createToken({ principal, name, scopes, expires }) {
      const secret = newSecret('token');
      const id = idOf(secret);
      await query(
        'INSERT INTO token (id, hash, principal, name, scopes, created, expires) VALUES ($1, $2, $3, $4, $5, now(), $6)',
        [id, hashOf(secret), principal, name, scopes, expires.toISOString()],
      );
      return { id, secret };
    },
    async tokenOf(secret) {
      const [token] = await query<StoredToken>(
        `UPDATE token SET used_at = now() WHERE hash = $1 AND expires > now() RETURNING ${TOKEN}`,
        [hashOf(secret)],
      );
      return token && shownOf(token);
    },
    tokens: async () => (await query<StoredToken>(`SELECT ${TOKEN} FROM token ORDER BY created`)).map(shownOf),
    revokeToken: async (id) => (await query('DELETE FROM token WHERE id = $1 RETURNING id', [id])).length > 0,
    async createSession(principal, expires) {
      const secret = newSecret('session');
      const values = [hashOf(secret), principal, expires.toISOString()];
      await query('INSERT INTO session (hash, principal, expires) VALUES ($1, $2, $3)', values);
      return secret;
    },
    async sessionOf(secret) {
      const sql = 'SELECT principal FROM session WHERE hash = $1 AND expires > now()';
      const [session] = await query<{ principal: number }>(sql, [hashOf(secret)]);
      return session?.principal;
    },
    async endSession(secret) {
      await query('DELETE FROM session WHERE hash = $1', [hashOf(secret)]);
    },
  };
}

type StoredToken = Omit<HubToken, 'usedAt'> & { usedAt: Date | null };

function shownOf({ usedAt, ...token }: StoredToken): HubToken {
  return { ...token, ...(usedAt !== null && { usedAt }) };
}

/** A new secret with 256 random bits; the prefix lets scanners recognise one that leaked. */
function newSecret(kind: 'token' | 'session'): string {
  return `gmh_${kind[0]}_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a secret. It is random, so a fast hash is as good as a slow one. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
