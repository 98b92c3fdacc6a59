import type { Client, Pool } from 'pg';
import { GitMemError, messageOf } from '../../errors.ts';
import { type Database, LOCKS, optional, type Query, READER, SCHEMA } from './database.ts';
import { hasWall } from './migrate.ts';

/**
 * The server probes a connection after half a minute of silence and gives up half a minute later. By its default, a worker
 * whose machine or network is gone would keep its claims and row locks for two hours.
 */
const LOST = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';

/** Time limit for one statement of an answer, in milliseconds: nobody waits longer, and others need the server. */
const ANSWER_MS = 10_000;

/**
 * Codes of temporary failures: the network's (ECONNREFUSED, ENOTFOUND, ...), a server that is stopping, starting or out of
 * connections, a transaction ended by a deadlock, and a statement that took too long.
 */
const AWAY = /^(?:E(?!RR_)[A-Z_]+|08...|57P0.|53300|40P01|57014)$/;

/** The driver's messages for a broken connection. */
const BROKEN = /^Connection terminated|^Client has encountered a connection error/;

/** A PostgreSQL server, 15 or later. */
export async function openPostgres(address: string, connections: number): Promise<Database> {
  const pg = await optional('postgres', async () => (await import('pg')).default);
  const settings = { connectionString: address, application_name: 'git-mem hub', max: connections };
  const owner = pooled(new pg.Pool({ ...settings, options: `${LOST} -c search_path=${SCHEMA},public` }));
  // Connects with the first question, by which time the role exists.
  const asReader = `-c role=${READER} -c statement_timeout=${ANSWER_MS}`;
  const readers = pooled(new pg.Pool({ ...settings, options: `${LOST} ${asReader}` }));
  const [server] = await asking(owner)<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  ).catch((error: unknown) => {
    if (error instanceof GitMemError) throw error;
    throw new GitMemError('bad-input', `The database does not answer: ${messageOf(error)}.`, { cause: error });
  });
  if (server === undefined || server.version < 150_000) {
    throw new GitMemError('bad-input', 'The hub needs PostgreSQL 15 or later.');
  }
  let reading: Promise<Query> | undefined;
  let spent = 0;
  const timed =
    (query: Query): Query =>
    async (sql, values) => {
      const start = performance.now();
      try {
        return await query(sql, values);
      } finally {
        spent += performance.now() - start;
      }
    };
  const claims = claimsOf(() => new pg.Client({ ...settings, options: LOST }));
  return {
    kind: 'postgres',
    query: timed(asking(owner)),
    ask: timed(async (sql, values) => {
      reading ??= hasWall(asking(owner)).then((is) => asking(is ? readers : owner));
      reading.catch(() => {
        reading = undefined; // The next question tries again.
      });
      return (await reading)(sql, values);
    }),
    spentMs: () => spent,
    async transaction(work) {
      const client = await owner.connect().catch(outage);
      try {
        const query = asking(client);
        await query('BEGIN');
        const result = await work(query);
        await query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {}); // The connection is gone, and the transaction with it.
        throw error;
      } finally {
        client.release();
      }
    },
    claim: claims.claim,
    async close() {
      await Promise.all([owner.end(), readers.end(), claims.end()]);
    },
  };
}

/** A broken idle connection is replaced by the next question, which reports what is wrong. */
function pooled(pool: Pool): Pool {
  return pool.on('error', () => {});
}

/** Throws busy for a temporary failure, and everything else as it is. */
function outage(error: unknown): never {
  const { code = '' } = error instanceof Error ? (error as Error & { code?: string }) : {};
  if (!AWAY.test(code) && !BROKEN.test(messageOf(error))) throw error;
  // The message is empty if a name has several addresses.
  throw new GitMemError('busy', `The database does not answer: ${messageOf(error) || code}.`, { cause: error });
}

function asking(place: Pick<Pool, 'query'> | Pick<Client, 'query'>): Query {
  return async <Row extends object>(sql: string, values?: unknown[]) =>
    (await place.query<Row>(sql, values).catch(outage)).rows;
}

/** Claims as session locks of one connection; the server frees them however the process ends. */
function claimsOf(connect: () => Client) {
  const held = new Set<number>();
  let connection: Promise<Client> | undefined;
  // One question at a time: a connection answers in order anyway.
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Row extends object>(sql: string, values: unknown[]) => {
    const answer = last.then(async () => asking(await connected().catch(outage))<Row>(sql, values));
    last = answer.catch(() => {}); // Its caller reports it.
    return answer;
  };
  const forget = () => {
    connection = undefined;
  };
  const connected = () => {
    if (connection !== undefined) return connection;
    // A lost connection loses its locks; a sync without its claim is refused when it commits.
    const client = connect().on('error', forget);
    connection = client.connect().then(() => client);
    connection.catch(forget); // The next claim tries again.
    return connection;
  };
  return {
    async claim(number: number) {
      if (held.has(number)) return undefined;
      held.add(number);
      let isTaken = false;
      try {
        const [answer] = await ask<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [LOCKS, number]);
        isTaken = answer?.taken === true;
      } finally {
        if (!isTaken) held.delete(number);
      }
      if (!isTaken) return undefined;
      return async () => {
        held.delete(number);
        await ask('SELECT pg_advisory_unlock($1, $2)', [LOCKS, number]).catch(() => {}); // Freed with the connection.
      };
    },
    async end() {
      await (await connection)?.end();
    },
  };
}
