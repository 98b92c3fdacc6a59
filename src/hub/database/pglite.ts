import { join } from 'node:path';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { GitMemError } from '../../errors.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { tryLock } from '../../memory/store/lock.ts';
import { type Database, optional, type Query, READER } from './database.ts';

/** How often the folder's lock is touched to show that this process is alive, in milliseconds: after 120 s it counts as dead. */
const TOUCH_MS = 30_000;

/** PostgreSQL inside this process, in a folder. Throws busy if another process has it. */
export async function openPglite(folder: string): Promise<Database> {
  const { PGlite } = await optional('pglite', () => import('@electric-sql/pglite'));
  const release = lockFolder(folder);
  const db = await PGlite.create({ dataDir: join(folder, 'pglite') });
  const held = new Set<number>();
  return {
    kind: 'pglite',
    query: asking(db),
    ask: (sql, values) =>
      db.transaction(async (transaction) => {
        await transaction.exec(`SET LOCAL ROLE ${READER}`);
        return await asking(transaction)(sql, values);
      }),
    spentMs: () => 0, // It is this process's own time.
    transaction: (work) => db.transaction((transaction) => work(asking(transaction))),
    // No other process can open the folder.
    async claim(number) {
      if (held.has(number)) return undefined;
      held.add(number);
      return async () => void held.delete(number);
    },
    async close() {
      await db.close();
      release();
    },
  };
}

function lockFolder(folder: string): () => void {
  createFolder(folder, 0o700);
  const lock = tryLock(join(folder, 'lock'));
  if (lock === undefined) {
    throw new GitMemError('busy', `Another process has the hub in ${folder} open.`, {
      hint: 'Ask the running server, or stop it; several processes need PostgreSQL (`database` in hub.yaml).',
    });
  }
  const timer = setInterval(() => lock.touch(), TOUCH_MS).unref();
  return () => {
    clearInterval(timer);
    lock.release();
  };
}

function asking(place: PGlite | Transaction): Query {
  return async <Row extends object>(sql: string, values?: unknown[]) => {
    // Several statements work only without values, and only migrations send them.
    if (values === undefined && sql.includes(';')) {
      await place.exec(sql);
      return [];
    }
    return (await place.query<Row>(sql, values)).rows;
  };
}
