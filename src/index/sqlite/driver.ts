import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import type BetterSqlite from 'better-sqlite3';
import { isSystemError, messageOf } from '../../errors.ts';

export type { Database } from 'better-sqlite3';

/** The class that opens databases. */
export type Driver = typeof BetterSqlite;

/** better-sqlite3 for this process, or why there is none. */
export async function findDriver(): Promise<{ Driver: Driver } | { Driver: undefined; reason: string }> {
  try {
    return { Driver: loadedQuickly() ?? proven((await import('better-sqlite3')).default) };
  } catch (error) {
    // An optional dependency: npm silently leaves it out if it cannot be fetched or built.
    const isMissing = isSystemError(error, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND');
    const what = isMissing ? 'is not installed' : `does not load: ${firstSentence(error)}`;
    return { Driver: undefined, reason: `better-sqlite3 ${what}` };
  }
}

/** Undefined if anything is unexpected: Node's own loader then reports what is wrong, if anything is. */
function loadedQuickly(): Driver | undefined {
  try {
    const loaded = loadPackageFiles();
    return isDatabaseClass(loaded) ? proven(loaded) : undefined;
  } catch {
    return undefined;
  }
}

function isDatabaseClass(value: unknown): value is Driver {
  return typeof value === 'function';
}

/** The package may be installed without its binary, which the first database loads. */
function proven(Sqlite: Driver): Driver {
  new Sqlite(':memory:').close();
  return Sqlite;
}

/** The loader's messages have several lines, and the first one is only the file's name. */
function firstSentence(error: unknown): string {
  return /^.*?(?=\.(?:\s|$)|$)/.exec(messageOf(error).replace(/\s+/g, ' '))?.[0] ?? '';
}

type Wrapper = (exports: unknown, require: unknown, module: unknown, filename: string, dirname: string) => void;

/**
 * What better-sqlite3 exports, without Node's module loader, which needs half of Node's own start to find the dozen small
 * files, and the binary by trial. Undefined if the package is not installed; throws if its shape is unknown.
 */
function loadPackageFiles(): unknown {
  const folder = installedFolder(import.meta.dirname, 'better-sqlite3');
  if (folder === undefined) return undefined;
  const nodeRequire = createRequire(join(folder, 'lib/index.js'));
  const modules = new Map<string, { exports: unknown }>();
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const from = dirname(file);
    const require = (name: string) => {
      if (name === 'bindings') return () => nodeRequire(join(folder, 'build/Release/better_sqlite3.node'));
      return name.startsWith('.') && !name.endsWith('.node') ? load(`${join(from, name)}.js`) : nodeRequire(name);
    };
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
    const wrapper: Wrapper = new Script(source, { filename: file }).runInThisContext();
    wrapper(module.exports, require, module, file, from);
    return module.exports;
  };
  return load(join(folder, 'lib/index.js'));
}

/** The folder where Node finds a package, starting from a folder, by its usual layout. */
function installedFolder(from: string, name: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(from) === from ? undefined : installedFolder(dirname(from), name);
}
