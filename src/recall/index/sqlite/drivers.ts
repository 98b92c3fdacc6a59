import { isSystemError, messageOf } from '../../../errors.ts';
import type { Driver } from './database.ts';

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
  const { default: Sqlite } = await import('better-sqlite3');
  // The package may be installed without its binary, which is loaded by the first database.
  new Sqlite(':memory:').close();
  return {
    name: 'better-sqlite3',
    open: (path, options) => new Sqlite(path, options),
    openBytes: (bytes) => new Sqlite(bytes),
  };
}

/** An optional dependency: npm leaves it out without a word where it could not be fetched or built. */
function isMissing(error: unknown): boolean {
  return isSystemError(error, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND');
}

/** The loader's messages have several lines, and the first one is only the file's name. */
function firstSentence(error: unknown): string {
  return /^.*?(?=\.(?:\s|$)|$)/.exec(messageOf(error).replace(/\s+/g, ' '))?.[0] ?? '';
}
