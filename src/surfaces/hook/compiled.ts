import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { createFolder } from '../../memory/store/create-folder.ts';
import { sweep } from '../../memory/store/sweep.ts';
import { cacheFolder, type Environment } from '../../user-folders.ts';

/** Compiled code this old belongs to another build, or is quickly made again. */
const FORGET_MS = 30 * 86_400_000;

const WRAPPER = '(function(exports,require,module,__filename,__dirname){';

/** A bundle that was loaded. */
export interface Loaded<T> {
  exports: T;
  /** Keeps what V8 compiled, for the next process; to be called when all that was needed has run. */
  keep(): void;
}

/**
 * Loads a CommonJS bundle beside this file with the code that V8 compiled for it in an earlier process: compiling is most
 * of what a short command takes. `build` names the build, so that no other build's code is taken. The code lies in the
 * user's cache folder; where it cannot, each process compiles for itself. Node 22 has this built in, and its variables are
 * obeyed: `NODE_COMPILE_CACHE` (the folder) and `NODE_DISABLE_COMPILE_CACHE=1`.
 */
export function loadBundle<T>(name: string, build: string, env: Environment): Loaded<T> {
  const file = join(__dirname, `${name}.cjs`);
  // Bundles are ASCII, which V8 keeps as bytes.
  const source = `${WRAPPER}${readFileSync(file, 'latin1')}\n})`;
  const folder = folderOf(env);
  const path = folder && join(folder, `${name}-${build}-${process.version}-${process.arch}.v8`);
  const cachedData = path && ownFile(path);
  // Positions in stacks are those in the file, as its source map has them.
  const columnOffset = -WRAPPER.length;
  const script = new Script(source, { filename: file, columnOffset, ...(cachedData && { cachedData }) });
  const module = { exports: {} as T };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  const isKept = path === undefined || (cachedData !== undefined && script.cachedDataRejected === false);
  return { exports: module.exports, keep: () => void (isKept || keep(path, script)) };
}

/** What lies in a file of this very user; undefined otherwise, because others' code would run with this user's rights. */
function ownFile(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { uid } = fstatSync(file);
    return process.getuid === undefined || uid === process.getuid() ? readFileSync(file) : undefined;
  } catch {
    return undefined; // The first process of this build.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function keep(path: string, script: Script): void {
  const folder = dirname(path);
  const aside = `${path}.${process.pid}`;
  try {
    createFolder(folder, 0o700);
    writeFileSync(aside, script.createCachedData(), { mode: 0o600, flag: 'wx' });
    renameSync(aside, path);
    sweep(folder, { ageMs: FORGET_MS, nowMs: Date.now() });
  } catch {
    // No home, or one that cannot be written.
  }
}

function folderOf(env: Environment): string | undefined {
  const { NODE_COMPILE_CACHE: named, NODE_DISABLE_COMPILE_CACHE: off } = env;
  if (off) return undefined;
  if (named) return join(named, 'git-mem');
  const cache = cacheFolder(env);
  return cache && join(cache, 'compiled');
}
