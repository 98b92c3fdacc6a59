import { randomBytes } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSystemError } from '../../errors.ts';
import { idOf, isId } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { notedLines } from '../../memory/store/lines.ts';
import { sweep } from '../../memory/store/sweep.ts';

/** The records that a session or one of its sub-agents was told, read whole or saved itself. */
export interface Injected {
  ids: Set<string>;
  /** Its context was compacted or cleared: its own findings may be news to it again. */
  hasForgotten: boolean;
}

/** Room for some thousand ids; a longer file is damaged, or its session got enough. In bytes. */
const MAX_BYTES = 64 * 1024;

/** Sessions that got nothing for this long are over: one that is resumed later gets its records again. */
const FORGET_MS = 14 * 86_400_000;

/** First line for a session that forgot. */
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
 * first line with an id in this append-only file decides which of them injects it. Returns none if the file cannot be
 * written.
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
    return []; // An id that cannot be noted would be injected again and again; `doctor` checks the folder itself.
  }
}

/** The list of the records that a session or a sub-agent has whole, which no guard says to it again. */
export function wholeReader(reader: string): string {
  return `${reader} whole`;
}

/** Notes records that an agent read whole or saved itself. Without a known session nothing is noted. */
export function noteWhole(state: string, session: string | undefined, ids: readonly string[]): void {
  if (session === undefined || ids.length === 0) return;
  for (const reader of [session, wholeReader(session)]) noteInjected(state, reader, ids);
}

/** Resets a session's lists: its context was cleared (`forgot`), or it just begins. */
export function resetInjected(state: string, reader: string, forgot: boolean): void {
  const path = pathOf(state, reader);
  try {
    for (const list of [path, pathOf(state, wholeReader(reader))]) rmSync(list, { force: true });
    if (!forgot) return;
    createFolder(dirname(path), 0o700);
    writeFileSync(path, `${FORGOTTEN}\n`, { mode: 0o600 });
  } catch {
    // Some records then count as known that are not: the agent can still ask for them.
  }
}

/** Hosts that read each other's settings fire within this time of each other, in milliseconds. */
const SAME_START_MS = 30_000;

/**
 * Tells whether this host should answer a session's start. Some hosts also run the hooks of others, and a session would
 * get everything twice: the first to ask answers. A host that starts a session again is answered.
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

/** Keeps what a session's start is told for the reply to its first prompt; false if that cannot be. */
export function holdStart(state: string, session: string, text: string): boolean {
  try {
    writeFileSync(heldPath(state, session), text, { mode: 0o600 });
    return true;
  } catch {
    return false; // Told at once, then.
  }
}

/** What was kept for the reply to a session's prompt, once; mostly empty. */
export function takeHeldStart(state: string, session: string): string {
  try {
    const text = readFileSync(heldPath(state, session), 'utf8');
    rmSync(heldPath(state, session));
    return text;
  } catch {
    return ''; // A start was told nothing, or an earlier prompt has it.
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

/** Removes the lists of sessions that ended long ago. `nowMs` since 1970. */
export function sweepInjected(state: string, nowMs: number): void {
  sweep(join(state, 'injected'), { ageMs: FORGET_MS, nowMs });
}

function heldPath(state: string, session: string): string {
  return `${pathOf(state, session)}.held`;
}

/** Session ids come from outside: only their hash becomes a file name. */
function pathOf(state: string, reader: string): string {
  return join(state, 'injected', idOf(reader));
}
