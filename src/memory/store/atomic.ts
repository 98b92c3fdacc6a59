import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isSystemError } from '../../errors.ts';
import { createFolder } from './create-folder.ts';

/**
 * Replaces a file: readers see the old bytes or the new ones, even after a power loss. `time` becomes the new file's
 * modification time from the moment it appears.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o600, time?: Date): void {
  makeFolder(dirname(path), 0o700);
  const temporary = temporaryIn(dirname(path), path);
  try {
    writeDurably(temporary, content, mode);
    if (time !== undefined) utimesSync(temporary, time, time);
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
  syncFolder(dirname(path));
}

/** Writes what can be computed again as JSON; false without space or permission to write. */
export function keepNotes(path: string, value: unknown): boolean {
  try {
    replaceFile(path, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates a file that must not exist yet: if it does, returns false and changes nothing. The content is first written
 * in `stage` (or beside the target if that is on another file system), so no partial file is ever visible.
 */
export function createFile(path: string, content: string | Uint8Array, stage: string, mode = 0o644): boolean {
  makeFolder(dirname(path), folderMode(mode));
  makeFolder(stage, 0o700);
  for (const folder of [stage, dirname(path)]) {
    const temporary = temporaryIn(folder, path);
    try {
      writeDurably(temporary, content, mode);
      if (folder === stage) linkInto(temporary, path, mode);
      else if (!linkOrRename(temporary, path)) return false;
      syncFolder(dirname(path));
      return true;
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return false;
      if (folder === stage && isSystemError(error, 'EXDEV', ...NO_LINKS)) continue;
      throw error;
    } finally {
      discard(temporary);
    }
  }
  return false;
}

/** Most files that are open at once while many are written: macOS allows a process 256. */
const OPEN_AT_ONCE = 100;

/**
 * As `createFile` for many new files; those that exist already stay as they are. All contents reach the disk before any
 * file appears. They are flushed in parallel: a file system combines many flushes into few journal writes.
 */
export async function createFiles(
  files: { path: string; content: Uint8Array }[],
  stage: string,
  mode = 0o644,
): Promise<void> {
  makeFolder(stage, 0o700);
  const folders = new Set(files.map(({ path }) => dirname(path)));
  for (const folder of folders) makeFolder(folder, folderMode(mode));
  const staged = files.map((file) => ({ ...file, temporary: temporaryIn(stage, file.path) }));
  try {
    for (let i = 0; i < staged.length; i += OPEN_AT_ONCE) {
      await writeSideBySide(staged.slice(i, i + OPEN_AT_ONCE), mode);
    }
    for (const { path, content, temporary } of staged) {
      try {
        linkInto(temporary, path, mode);
      } catch (error) {
        if (isSystemError(error, 'EEXIST')) continue;
        if (!isSystemError(error, 'EXDEV', ...NO_LINKS)) throw error;
        createFile(path, content, stage, mode);
      }
    }
  } finally {
    for (const { temporary } of staged) discard(temporary);
  }
  for (const folder of folders) syncFolder(folder);
}

/** Appends one line, which is on the disk when this returns. */
export function appendLine(path: string, line: string): void {
  makeFolder(dirname(path), 0o700);
  const file = openSync(path, constants.O_APPEND | constants.O_CREAT | constants.O_RDWR, 0o600);
  try {
    // A process killed mid-write left half a line, which would swallow this one.
    const bytes = Buffer.from(endsInLine(file) ? `${line}\n` : `\n${line}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function endsInLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() === '\n';
}

/** Writes a new file whose content is on the disk when this returns; its name is durable only after `syncFolder`. */
export function writeDurably(path: string, content: string | Uint8Array | (string | Uint8Array)[], mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    for (const part of [content].flat()) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const flush = promisify(fsync);

/** Writes new files; their contents are on the disk when it is done. */
async function writeSideBySide(files: { temporary: string; content: Uint8Array }[], mode: number): Promise<void> {
  const open: number[] = [];
  let flushed: PromiseSettledResult<void>[] = [];
  try {
    for (const { temporary, content } of files) {
      const file = openSync(temporary, 'wx', mode);
      open.push(file);
      writeFileSync(file, content);
    }
  } finally {
    // No file is closed while another one is being flushed, because its descriptor could be reused.
    flushed = await Promise.allSettled(open.map((file) => flush(file)));
    for (const file of open) closeSync(file);
  }
  for (const one of flushed) if (one.status === 'rejected') throw one.reason;
}

/** Makes names that were added to a folder durable; not every file system lets a folder be synced. */
export function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // Windows and some network file systems refuse; the content itself is synced already.
  }
}

/** Recreates a vanished folder: a checkout of another branch removes folders that it empties, even a new one. */
function linkInto(temporary: string, path: string, mode: number): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    makeFolder(dirname(path), folderMode(mode));
    linkSync(temporary, path);
  }
}

/** A file that only its owner may read goes into a folder that only its owner may read. */
function folderMode(mode: number): number {
  return mode === 0o600 ? 0o700 : 0o777;
}

/** Errors of file systems without hard links: exFAT, some shared folders of virtual machines. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'EMLINK', 'ENOTSUP'];

/** Without hard links there is no exclusive rename: a check before it and the drain's lock must do. */
function linkOrRename(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!isSystemError(error, ...NO_LINKS)) throw error;
    if (existsSync(path)) return false;
    renameSync(temporary, path);
  }
  return true;
}

/** Creates a folder with its missing parents and makes their names durable. */
function makeFolder(folder: string, mode: number): void {
  const first = createFolder(folder, mode);
  if (first === undefined) return;
  for (let dir = folder; ; dir = dirname(dir)) {
    syncFolder(dirname(dir));
    if (dir === first || dir === dirname(dir)) return;
  }
}

function temporaryIn(folder: string, path: string): string {
  return join(folder, `.tmp-${randomBytes(6).toString('hex')}-${basename(path).slice(0, 40)}`);
}

function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Renamed or never made: nothing is left to remove.
  }
}
