import { appendFileSync, readFileSync } from 'node:fs';
import { isSystemError } from '../errors.ts';
import { appendLine } from '../repo/atomic.ts';

/** Where a clone keeps what it wrote itself: its ledger, and those of other state folders. */
interface Ledgers {
  ledger: string;
  otherLedgers: string[];
}

/** Notes files that this clone is about to write: their blobs, and their paths inside the store. The blobs are durable when it returns. */
export function noteOwn(ledger: string, files: { blob: string; path: string }[]): void {
  appendLine(ledger, files.map(({ blob }) => blob).join('\n'));
  appendHint(`${ledger}-paths`, files.map(({ blob, path }) => `${blob} ${path}`).join('\n'));
}

/** Notes blobs that a person made of this clone's own files by editing them, where the state can be written. */
export function noteEdited(ledger: string, blobs: string[]): void {
  for (const path of [`${ledger}-edited`, ledger]) appendHint(path, blobs.join('\n'));
}

/** The blobs that a clone wrote itself: the lines of all of its ledgers that are there. */
export function readLedgers(places: Ledgers): Set<string> {
  return lines(places, '');
}

/** The paths inside a store of the files that a clone wrote itself, by its ledger, whatever they hold now. */
export function readOwnPaths(places: Ledgers): Set<string> {
  const own = readLedgers(places);
  const pairs = [...lines(places, '-paths')].map((line) => line.split(' ', 2));
  return new Set(pairs.flatMap(([blob = '', path]) => (path !== undefined && own.has(blob) ? [path] : [])));
}

/** The blobs among a clone's own that a person made by editing. */
export function readEdited(places: Ledgers): Set<string> {
  return lines(places, '-edited');
}

/** Appends to what only improves a later answer: without room on the disk that one is the more careful one. */
function appendHint(path: string, text: string): void {
  try {
    appendFileSync(path, `${text}\n`, { mode: 0o600 });
  } catch {
    // The ledger itself, which has to be written, says what is wrong.
  }
}

function lines({ ledger, otherLedgers }: Ledgers, suffix: string): Set<string> {
  return new Set([ledger, ...otherLedgers].flatMap((path) => linesOf(`${path}${suffix}`)));
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    // Also where something else took the file's place: nothing is this clone's own then, which `doctor` says.
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR')) return [];
    throw error;
  }
}
