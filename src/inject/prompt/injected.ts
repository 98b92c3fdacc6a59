import { randomBytes } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { idOf, isId } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { notedLines } from '../../memory/store/lines.ts';
import { sweep } from '../../memory/store/sweep.ts';

/** The records that a session, or one of its sub-agents, was told, read whole or saved itself. */
export interface Injected {
  ids: Set<string>;
  /** Its context was compacted or cleared, so that its own findings may be news to it again. */
  hasForgotten: boolean;
}

/** Largest list, in bytes, room for over two thousand ids: a longer one is damaged, or its session was told enough. */
const MAX_BYTES = 64 * 1024;

/** A session that was told nothing for this long is over; if it is resumed later, it gets its records again. */
const FORGET_MS = 14 * 86_400_000;

/** First line in the list of a session whose context was compacted or cleared. */
const FORGOTTEN = '(forgotten)';

/** Reads what a session knows; damaged lines are skipped. */
export function readInjected(state: string, reader: string): Injected {
  const lines = notedLines(pathOf(state, reader), 2 * MAX_BYTES);
  return {
    ids: new Set(lines.map((line) => line.split(' ')[0] ?? '').filter(isId)),
    hasForgotten: lines.includes(FORGOTTEN),
  };
}

/**
 * Notes ids as injected and returns those that nobody else had noted: hooks of parallel tool calls run at once, and the
 * first line with an id in this append-only file decides which of them injects it. Returns none if the file is full or
 * cannot be written.
 */
export function noteInjected(state: string, reader: string, ids: readonly string[]): string[] {
  const path = pathOf(state, reader);
  const claim = randomBytes(6).toString('hex');
  try {
    createFolder(dirname(path), 0o700);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) return [];
    appendFileSync(path, ids.map((id) => `${id} ${claim}\n`).join(''), { mode: 0o600 });
    const lines = notedLines(path, 2 * MAX_BYTES);
    return ids.filter((id) => lines.find((line) => line.startsWith(`${id} `)) === `${id} ${claim}`);
  } catch {
    return []; // An id that cannot be noted would be injected again and again; `doctor` checks the folder.
  }
}

/** The name of the list of records that a session or sub-agent knows whole, which no guard need tell it again. */
export function wholeReader(reader: string): string {
  return `${reader} whole`;
}

/** Notes records that an agent read whole or saved itself; notes nothing if its session is not known. */
export function noteWhole(state: string, session: string | undefined, ids: readonly string[]): void {
  if (session === undefined || ids.length === 0) return;
  for (const reader of [session, wholeReader(session)]) noteInjected(state, reader, ids);
}

/** Resets a session's lists: its context was compacted or cleared (`forgot`), or it is just starting. */
export function resetInjected(state: string, reader: string, forgot: boolean): void {
  const path = pathOf(state, reader);
  try {
    for (const list of [path, pathOf(state, wholeReader(reader))]) rmSync(list, { force: true });
    if (!forgot) return;
    createFolder(dirname(path), 0o700);
    writeFileSync(path, `${FORGOTTEN}\n`, { mode: 0o600 });
  } catch {
    // Some records then count as known although they are not; the agent can still ask for them.
  }
}

/** Hosts that run each other's hooks report one start within this time of each other, in milliseconds. */
const SAME_START_MS = 30_000;

/**
 * Tells whether this host's hook should answer a session's start. Some hosts also run the hooks of others, so a session
 * would be told everything twice: only the first to claim it answers. The same host may start a session again.
 */
export function claimStart(state: string, session: string, { host, now }: { host: string; now: number }): boolean {
  const path = `${pathOf(state, session)}.start`;
  // With a newline: a hook killed mid-write leaves none, so its claim does not count.
  const claim = `${host}\n`;
  try {
    createFolder(dirname(path), 0o700);
    try {
      writeFileSync(path, claim, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) {
        // A full disk creates the file but not its text, and an empty file would look like another host's claim.
        rmSync(path, { force: true });
        return true;
      }
      const found = readFileSync(path, 'utf8');
      const isAnothers = found.endsWith('\n') && found !== claim && now - statSync(path).mtimeMs < SAME_START_MS;
      if (!isAnothers) writeFileSync(path, claim, { mode: 0o600 });
      return !isAnothers;
    }
  } catch {
    return true; // Injected twice is better than not at all.
  }
}

/** Keeps the text for a session's start until the reply to its first prompt; false if it cannot be kept. */
export function holdStart(state: string, session: string, text: string): boolean {
  try {
    writeFileSync(heldPath(state, session), text, { mode: 0o600 });
    return true;
  } catch {
    return false; // It is told at the start then.
  }
}

/** Takes what was kept for the reply to a session's first prompt: usually empty, and so after the first time. */
export function takeHeldStart(state: string, session: string): string {
  try {
    const text = readFileSync(heldPath(state, session), 'utf8');
    rmSync(heldPath(state, session));
    return text;
  } catch {
    return ''; // The start was told nothing, or an earlier prompt took it.
  }
}

/** When and by which host a session last started (milliseconds since 1970), one entry per session. */
export function lastStarts(state: string): { host: string; atMs: number }[] {
  const folder = join(state, 'injected');
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.start'))
      .flatMap((name) => {
        const path = join(folder, name);
        const atMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
        const [host = ''] = notedLines(path, 2 * MAX_BYTES);
        return atMs === undefined || host === '' ? [] : [{ host, atMs }];
      });
  } catch {
    return []; // No session has started yet.
  }
}

/** Removes the lists of sessions that ended long ago; `nowMs` is in milliseconds since 1970. */
export function sweepInjected(state: string, nowMs: number): void {
  sweep(join(state, 'injected'), { ageMs: FORGET_MS, nowMs });
}

function heldPath(state: string, session: string): string {
  return `${pathOf(state, session)}.held`;
}

/** Session ids come from outside, so only a hash of them becomes a file name. */
function pathOf(state: string, reader: string): string {
  return join(state, 'injected', idOf(reader));
}
