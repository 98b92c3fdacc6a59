import { appendFileSync, readFileSync } from 'node:fs';
import { isSystemError } from '../../errors.ts';
import { FOLDERS } from '../file-name.ts';
import type { StoreName } from '../record.ts';
import { appendLine } from './atomic.ts';

/** Where a clone keeps what it wrote itself: its ledger, and those of other state folders. */
interface Ledgers {
  ledger: string;
  otherLedgers: string[];
}

/** Notes files that this clone is about to write: their blobs, and their paths inside the store. The blobs are durable when it returns. */
export function noteOwn(ledger: string, store: StoreName, files: { blob: string; path: string }[]): void {
  appendLine(ledger, files.map(({ blob }) => blob).join('\n'));
  appendHint(`${ledger}-paths`, pairsOf(files));
  if (store === 'team') noteMarks(ledger, files);
}

/** Notes files that somebody accepted for this clone: their content counts as its own, and their paths prove nothing. */
export function noteAccepted(ledger: string, files: { blob: string; path: string; store: StoreName }[]): void {
  appendLine(ledger, files.map(({ blob }) => blob).join('\n'));
  const team = files.filter(({ store }) => store === 'team');
  if (team.length > 0) appendHint(`${ledger}-accepted`, pairsOf(team));
}

/** The marks that a clone wrote or accepted, with their paths inside the team's store, in this checkout or not. */
export function readOwnMarks(places: Ledgers): { blob: string; path: string }[] {
  const own = readLedgers(places);
  const pairs = [...lines(places, '-marks'), ...lines(places, '-accepted')].map((line) => line.split(' ', 2));
  return pairs.flatMap(([blob = '', path]) => (path && isMark(path) && own.has(blob) ? [{ blob, path }] : []));
}

/** The paths of all files that a clone wrote or accepted, in whichever store; what lies there now may be another content. */
export function readKnownPaths(places: Ledgers): Set<string> {
  const pairs = [...lines(places, '-paths'), ...lines(places, '-accepted')];
  return new Set(pairs.map((line) => line.slice(line.indexOf(' ') + 1)));
}

/** In a list of their own: they are looked for before each answer, and few among all that is written. */
function noteMarks(ledger: string, files: { blob: string; path: string }[]): void {
  const marks = files.filter(({ path }) => isMark(path));
  if (marks.length > 0) appendHint(`${ledger}-marks`, pairsOf(marks));
}

function isMark(path: string): boolean {
  return path.startsWith(`${FOLDERS.mark}/`);
}

function pairsOf(files: { blob: string; path: string }[]): string {
  return files.map(({ blob, path }) => `${blob} ${path}`).join('\n');
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
