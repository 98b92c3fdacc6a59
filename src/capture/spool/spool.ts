import { type Dirent, lstatSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { syncFolder, writeDurably } from '../../memory/store/atomic.ts';
import { createFolder } from '../../memory/store/create-folder.ts';

/**
 * The spool is a Maildir: an event is one file, written under `tmp/` and renamed into `new/`, so that a reader of
 * `new/` sees only complete events. A file is a header of `key value` lines, a blank line, and the host's payload byte
 * for byte. The file's modification time is the event's time, which a shell can write without another process, unless
 * the header gives an earlier time.
 */
export interface EventHead {
  host: string;
  event: string;
  /** Root of the worktree whose launcher took the event. */
  root: string;
  branch?: string;
  commit?: string;
  /** When it happened (ISO 8601, UTC), if that was before it was spooled. */
  at?: string;
}

export interface StoredEvent {
  /** Unique name, to acknowledge by. */
  name: string;
  /** Milliseconds since 1970, with fractions. */
  timeMs: number;
  size: number;
}

const FORMAT = 'git-mem-event 1';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Puts one event into the spool of a state folder; it is on the disk when this returns. Throws system errors. */
export function accept(state: string, head: EventHead, payload: Uint8Array): void {
  const spool = join(state, 'spool');
  createFolder(join(spool, 'tmp'), 0o700);
  createFolder(join(spool, 'new'), 0o700);
  const name = `${randomDigits()}${randomDigits()}.${process.pid}`;
  const temporary = join(spool, 'tmp', name);
  try {
    writeDurably(temporary, [encodeHead(head), payload], 0o600);
    renameSync(temporary, join(spool, 'new', name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(join(spool, 'new'));
}

/**
 * Eight hexadecimal digits of V8's generator, which the operating system seeds. Two names must differ and need not be
 * secret: loading `node:crypto` for them would take a tenth of a hook's time.
 */
function randomDigits(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

/** The events waiting in a state folder, oldest first. */
export function pending(state: string): StoredEvent[] {
  const folder = join(state, 'spool', 'new');
  const events: StoredEvent[] = [];
  for (const name of namesIn(folder)) {
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stat?.isFile()) events.push({ name, timeMs: stat.mtimeMs, size: stat.size });
  }
  return events.sort((a, b) => a.timeMs - b.timeMs || (a.name < b.name ? -1 : 1));
}

/** Entries in the spool that are not regular files: no hook writes them, and reading a pipe would block forever. */
export function strays(state: string): { name: string; kind: string }[] {
  return entriesIn(join(state, 'spool', 'new'))
    .filter((entry) => !entry.isFile())
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return 'a folder';
  if (entry.isSymbolicLink()) return 'a link';
  return entry.isFIFO() ? 'a pipe' : 'no file';
}

/** How many events wait, and how many were set aside as unreadable. */
export function countEvents(state: string): { pending: number; failed: number } {
  return {
    pending: entriesIn(join(state, 'spool', 'new')).filter((entry) => entry.isFile()).length,
    failed: failedNames(state).length,
  };
}

/** Names of the files that were set aside. */
export function failedNames(state: string): string[] {
  return namesIn(join(state, 'spool', 'failed'));
}

/**
 * What `look` finds in a spool file, for callers that run beside drains: undefined if the file is gone since it was listed, or
 * cannot be read, which the drain reports.
 */
export function onlooker<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'EACCES', 'EPERM', 'EIO')) return undefined;
    throw error;
  }
}

/** Reads one event; undefined if its header is invalid. */
export function readEvent(state: string, name: string): { head: EventHead; payload: string } | undefined {
  const text = readFileSync(join(state, 'spool', 'new', name), 'utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? undefined : decodeHead(text.slice(0, end));
  return head && { head, payload: text.slice(end + 2) };
}

/** Removes an event whose turn or records are safely written. */
export function acknowledge(state: string, name: string): void {
  try {
    unlinkSync(join(state, 'spool', 'new', name));
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
}

/** Moves an unreadable event to where it blocks nothing and is not lost. */
export function setAside(state: string, name: string): void {
  const failed = join(state, 'spool', 'failed');
  createFolder(failed, 0o700);
  const taken = new Set(namesIn(failed));
  // Hooks use unique names, but a folder that somebody put here may come twice.
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}.${n}`;
  renameSync(join(state, 'spool', 'new', name), join(failed, free));
}

function encodeHead({ host, event, root, branch, commit, at }: EventHead): string {
  const lines = [FORMAT, `host ${host}`, `event ${event}`, `root ${root}`];
  if (branch !== undefined) lines.push(`branch ${branch}`);
  if (commit !== undefined) lines.push(`commit ${commit}`);
  if (at !== undefined) lines.push(`at ${at}`);
  return `${lines.map((line) => line.replace(/\n/g, ' ')).join('\n')}\n\n`;
}

function decodeHead(text: string): EventHead | undefined {
  const [format, ...lines] = text.split('\n');
  if (format !== FORMAT) return undefined;
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  const [host, event, root] = [fields.get('host'), fields.get('event'), fields.get('root')];
  if (host === undefined || event === undefined || root === undefined) return undefined;
  const [branch, commit, at] = [fields.get('branch'), fields.get('commit'), fields.get('at')];
  const time = at !== undefined && TIME.test(at) ? { at } : {};
  return { host, event, root, ...(branch && { branch }), ...(commit && { commit }), ...time };
}

function namesIn(folder: string): string[] {
  return entriesIn(folder).map(({ name }) => name);
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'));
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'EACCES', 'ENOTDIR')) return [];
    throw error;
  }
}
