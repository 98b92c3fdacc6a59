import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, type Stats, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { createFolder } from './create-folder.ts';

/** A lock held by this process. */
export interface Lock {
  /** Shows others that the holder is still alive; call it between long steps. */
  touch(): void;
  release(): void;
}

/** A holder in another container or machine cannot be checked; silent for longer than any step, it counts as dead. */
const SILENCE_MS = 120_000;

/** A lock file still empty after this long was left by a killed process: its holder writes right after creating it. */
const UNWRITTEN_MS = 2000;

/** A takeover that takes longer than this was killed: it takes a few system calls. In milliseconds. */
const GUARD_MS = 10_000;

/**
 * Takes an exclusive lock file, or returns undefined if a living process holds it. A dead holder's lock is taken over
 * at once: its process is gone, or its number belongs to a process that started later.
 */
export function tryLock(path: string): Lock | undefined {
  createFolder(dirname(path), 0o700);
  for (let attempt = 0; attempt < 3; attempt++) {
    const lock = create(path);
    if (lock !== undefined) return lock;
    const seen = readIfThere(path);
    if (seen === undefined) continue;
    if (isAlive(path, seen)) return undefined;
    takeAway(path, seen);
  }
  return undefined;
}

/** Whether a living process holds the lock. */
export function isLocked(path: string): boolean {
  const seen = readIfThere(path);
  return seen !== undefined && isAlive(path, seen);
}

function create(path: string): Lock | undefined {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return undefined;
    throw error;
  }
  const owner = `${process.pid} ${startOf(process.pid)} ${machine()} ${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(file, owner);
  } catch (error) {
    // Without content no process could tell later that its holder is gone.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  // This process was suspended so long before writing that another took the empty file for a dead holder's.
  if (readIfThere(path) !== owner) return undefined;
  return {
    touch() {
      const now = new Date();
      if (readIfThere(path) === owner) utimesSync(path, now, now);
    },
    release() {
      // Another process may have taken over a lock that was silent too long: its lock must stay.
      if (readIfThere(path) === owner) rmSync(path, { force: true });
    },
  };
}

/**
 * Removes a dead holder's lock. A new holder may come between the check and the removal, hence the guard: no process
 * removes another's lock without it, so the lock that is read under it cannot change before it is removed.
 */
function takeAway(path: string, seen: string): void {
  const guard = `${path}.takeover`;
  try {
    closeSync(openSync(guard, 'wx', 0o600));
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    const stat = statSync(guard, { throwIfNoEntry: false });
    // A guard is held only for an instant: an older one belongs to a killed process.
    if (stat !== undefined && ageMs(stat) > GUARD_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (readIfThere(path) === seen) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function isAlive(path: string, content: string): boolean {
  const [pid = '', start = '', where = ''] = content.split(' ');
  if (where === machine() && /^\d+$/.test(pid)) {
    try {
      process.kill(Number(pid), 0);
    } catch (error) {
      if (isSystemError(error, 'ESRCH')) return false;
    }
    const now = startOf(Number(pid));
    return now === UNKNOWN || start === UNKNOWN || now === start;
  }
  // Not fully written yet, or from another machine: only its silence shows that its holder is dead.
  const stat = statSync(path, { throwIfNoEntry: false });
  const patience = content === '' ? UNWRITTEN_MS : SILENCE_MS;
  return stat !== undefined && ageMs(stat) < patience;
}

/** Milliseconds since a file was touched. A file from the future was touched before the clock was put back. */
function ageMs({ mtimeMs }: Stats): number {
  return Math.abs(Date.now() - mtimeMs);
}

const UNKNOWN = '-';
const ENDED = 'ended';

/** When a process started, in the kernel's ticks: distinguishes it from a later process with the same number. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // In a container without an init, a killed process keeps its number forever, but no longer runs.
    return fields[0] === 'Z' || fields[0] === 'X' ? ENDED : (fields[19] ?? UNKNOWN);
  } catch {
    return UNKNOWN; // No /proc (macOS, Windows), or hidden: the number alone must do.
  }
}

/** This machine, boot and PID namespace: outside it a process number means nothing. */
function machine(): string {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      return '';
    }
  };
  const space = statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino ?? 0;
  return `${hostname().replaceAll(' ', '-')}/${read('/proc/sys/kernel/random/boot_id')}/${space}`;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
