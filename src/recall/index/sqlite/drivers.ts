import type BetterSqlite from 'better-sqlite3';
import { isSystemError, messageOf } from '../../../errors.ts';
import type { Driver } from './database.ts';
import { loadPackageFiles } from './package-files.ts';

export interface FoundDriver {
  driver: Driver | undefined;
  /** Why it is not better-sqlite3, or why there is none at all. */
  reason?: string;
}

/** SQLite for this process: better-sqlite3, else Node's own, which needs no install script and no compiler. */
export async function findDriver(only?: Driver['name']): Promise<FoundDriver> {
  const reasons: string[] = [];
  if (only !== 'node:sqlite') {
    try {
      return { driver: await nativeDriver() };
    } catch (error) {
      reasons.push(
        isMissing(error) ? 'better-sqlite3 is not installed' : `better-sqlite3 does not load: ${firstSentence(error)}`,
      );
    }
  }
  if (only !== 'better-sqlite3') {
    try {
      const { nodeDriver } = await import('./node-database.ts');
      return { driver: nodeDriver(), ...(reasons[0] && { reason: reasons[0] }) };
    } catch (error) {
      reasons.push(`node:sqlite cannot be used: ${firstSentence(error)}`);
    }
  }
  return { driver: undefined, reason: reasons.join('; ') };
}

async function nativeDriver(): Promise<Driver> {
  const Sqlite = loadedQuickly() ?? proven((await import('better-sqlite3')).default);
  return {
    name: 'better-sqlite3',
    open: (path, options) => new Sqlite(path, options),
    openBytes: (bytes) => new Sqlite(bytes),
  };
}

/** Undefined if anything is unexpected: Node's own loader then says what is wrong, if something is. */
function loadedQuickly(): typeof BetterSqlite | undefined {
  try {
    const loaded = loadPackageFiles();
    return isDatabaseClass(loaded) ? proven(loaded) : undefined;
  } catch {
    return undefined;
  }
}

function isDatabaseClass(value: unknown): value is typeof BetterSqlite {
  return typeof value === 'function';
}

/** The package may be installed without its binary, which is loaded by the first database. */
function proven(Sqlite: typeof BetterSqlite): typeof BetterSqlite {
  new Sqlite(':memory:').close();
  return Sqlite;
}

/** An optional dependency: npm leaves it out without a word where it could not be fetched or built. */
function isMissing(error: unknown): boolean {
  return isSystemError(error, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND');
}

/** The loader's messages have several lines, and the first one is only the file's name. */
function firstSentence(error: unknown): string {
  return /^.*?(?=\.(?:\s|$)|$)/.exec(messageOf(error).replace(/\s+/g, ' '))?.[0] ?? '';
}
