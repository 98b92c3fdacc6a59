import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDERS } from '../file-name.ts';
import type { StoreName } from '../record.ts';
import { appendLine } from './atomic.ts';
import { linesIn } from './lines.ts';

/** The clone's ledger, and those of other state folders. */
interface Ledgers {
  ledger: string;
  otherLedgers: string[];
}

/** The ledger of a state folder. */
export function ledgerIn(state: string): string {
  return join(state, 'own');
}

/** Notes the blobs and store paths of files that this clone is about to write. The blobs are durable on return. */
export function noteOwn(ledger: string, store: StoreName, files: { blob: string; path: string }[]): void {
  appendLine(ledger, files.map(({ blob }) => blob).join('\n'));
  appendHint(`${ledger}-paths`, pairsOf(files));
  // Marks in a separate list too: they are needed before each answer, and are few among all written files.
  const marks = store === 'team' ? files.filter(({ path }) => isMark(path)) : [];
  if (marks.length > 0) appendHint(`${ledger}-marks`, pairsOf(marks));
}

/** Notes files that the user accepted for this clone: their content counts as its own; their paths prove nothing. */
export function noteAccepted(ledger: string, files: { blob: string; path: string; store: StoreName }[]): void {
  appendLine(ledger, files.map(({ blob }) => blob).join('\n'));
  const team = files.filter(({ store }) => store === 'team');
  if (team.length > 0) appendHint(`${ledger}-accepted`, pairsOf(team));
}

/** The marks that a clone wrote or accepted, with their paths inside the team store, in this checkout or not. */
export function readOwnMarks(places: Ledgers): { blob: string; path: string }[] {
  const own = readLedgers(places);
  const pairs = [...lines(places, '-marks'), ...lines(places, '-accepted')].map((line) => line.split(' ', 2));
  return pairs.flatMap(([blob = '', path]) => (path && isMark(path) && own.has(blob) ? [{ blob, path }] : []));
}

/** The paths of all files that a clone wrote or accepted, in either store; their content may have changed since. */
export function readKnownPaths(places: Ledgers): Set<string> {
  const pairs = [...lines(places, '-paths'), ...lines(places, '-accepted')];
  return new Set(pairs.map((line) => line.slice(line.indexOf(' ') + 1)));
}

function isMark(path: string): boolean {
  return path.startsWith(`${FOLDERS.mark}/`);
}

function pairsOf(files: { blob: string; path: string }[]): string {
  return files.map(({ blob, path }) => `${blob} ${path}`).join('\n');
}

/** Notes blobs that result from a person's edits to this clone's own files, if the state can be written. */
export function noteEdited(ledger: string, blobs: string[]): void {
  for (const path of [`${ledger}-by-hand`, ledger]) appendHint(path, blobs.join('\n'));
}

/** The blobs that a clone wrote itself: the lines of all of its existing ledgers. */
export function readLedgers(places: Ledgers): Set<string> {
  const own = lines(places, '');
  // Older versions noted here what they took for edits, which somebody else may have written.
  const doubtful = lines(places, '-edited');
  if (doubtful.size === 0) return own;
  const proven = ['-by-hand', '-paths', '-accepted'].flatMap((suffix) => [...lines(places, suffix)]);
  for (const line of proven) doubtful.delete(line.split(' ', 1)[0] ?? '');
  for (const blob of doubtful) own.delete(blob);
  return own;
}

/**
 * The blobs that a clone wrote itself, by store path, whatever the files hold now. `own`: what `readLedgers` returns,
 * if the caller has it.
 */
export function readOwnVersions(places: Ledgers, own = readLedgers(places)): Map<string, string[]> {
  const versions = new Map<string, string[]>();
  for (const line of lines(places, '-paths')) {
    const [blob = '', path] = line.split(' ', 2);
    if (path !== undefined && own.has(blob)) versions.set(path, [...(versions.get(path) ?? []), blob]);
  }
  return versions;
}

/** The blobs among a clone's own that result from a person's edits. */
export function readEdited(places: Ledgers): Set<string> {
  return lines(places, '-by-hand');
}

/** Appends to a file that only improves a later answer: if the disk is full, that answer is more cautious. */
function appendHint(path: string, text: string): void {
  try {
    appendFileSync(path, `${text}\n`, { mode: 0o600 });
  } catch {
    // Writing the ledger itself, which must succeed, reports what is wrong.
  }
}

/** Without a readable file nothing is this clone's own, which `doctor` reports. */
function lines({ ledger, otherLedgers }: Ledgers, suffix: string): Set<string> {
  return new Set([ledger, ...otherLedgers].flatMap((path) => linesIn(`${path}${suffix}`)));
}
