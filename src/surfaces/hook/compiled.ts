import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { createFolder } from '../../memory/store/create-folder.ts';
import { sweep } from '../../memory/store/sweep.ts';
import { cacheFolder, type Environment } from '../../user-folders.ts';

/** Compiled code of this age belongs to another build, or to a program used so rarely that compiling costs little. */
const FORGET_MS = 30 * 86_400_000;

/** A loaded bundle. */
export interface Loaded<T> {
  exports: T;
  /** Keeps V8's compiled code for the next process; to be called when everything needed has run. Never throws. */
  keep(): void;
}

/**
 * Loads a CommonJS bundle beside this file with the code that V8 compiled for it in an earlier process: compiling takes
 * most of the time of a short command. `build` names the build, so that no other build's code is used. The code is in
 * the user's cache folder; if that is not writable, each process compiles for itself. Node 22 has this built in, and
 * its variables are respected: `NODE_COMPILE_CACHE` (the folder) and `NODE_DISABLE_COMPILE_CACHE=1`.
 * Each `purpose` has compiled code of its own, because commands run different parts of a bundle.
 */
export function loadBundle<T>(name: string, build: string, env: Environment, purpose = ''): Loaded<T> {
  const file = join(__dirname, `${name}.cjs`);
  // The build has wrapped it in a module function. Bundles are ASCII, which V8 stores as one byte per character.
  const source = readFileSync(file, 'latin1');
  const folder = folderOf(env);
  const path =
    folder && join(folder, `${[name, purpose, build, process.version, process.arch].filter(Boolean).join('-')}.v8`);
  const cachedData = path && ownFile(path);
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} as T };
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  const isKept = path === undefined || (cachedData !== undefined && script.cachedDataRejected === false);
  return { exports: module.exports, keep: () => void (isKept || keep(path, script)) };
}

/**
 * The content of a file that this user owns; otherwise undefined, because somebody else's code would run with this
 * user's rights.
 */
function ownFile(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { uid } = fstatSync(file);
    return process.getuid === undefined || uid === process.getuid() ? readFileSync(file) : undefined;
  } catch {
    return undefined; // Not there: no process of this build has kept any.
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
    // The folder is not writable, or another process with this id left a file.
  }
}

function folderOf(env: Environment): string | undefined {
  const { NODE_COMPILE_CACHE: named, NODE_DISABLE_COMPILE_CACHE: off } = env;
  if (off) return undefined;
  if (named) return join(named, 'git-mem');
  const cache = cacheFolder(env);
  return cache && join(cache, 'compiled');
}
