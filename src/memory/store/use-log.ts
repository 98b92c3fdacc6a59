import { appendFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fieldsOf, jsonIn } from '../../json.ts';
import { idOf, isId } from '../id.ts';
import { createFolder } from './create-folder.ts';
import { notedLines } from './lines.ts';

// What happened to records in this clone: one line a moment, appended by hooks and commands to `use/log` of the state
// folder and counted by the next drain. It may be removed at any time.

/** What happened in a session: records were injected or fetched, or work on files was kept. */
export type UseLine = { atMs: number; session: string } & (
  | { use: 'injected' | 'fetched'; ids: string[] }
  /** When each file was last changed, in milliseconds since 1970. */
  | { use: 'worked'; files: [path: string, atMs: number][] }
);

/** Where nothing counts the lines, no more are written from this size on: some ten thousand. In bytes. */
const MOST = 1024 * 1024;

/** Notes that records were injected into a session or fetched in it; without a session, by a person that day. */
export function noteUse(
  state: string,
  use: 'injected' | 'fetched',
  { ids, session, now }: { ids: readonly string[]; session: string | undefined; now: Date },
): void {
  const known = ids.filter(isId);
  const who = session ?? now.toISOString().slice(0, 10);
  if (known.length > 0) append(state, { atMs: now.getTime(), session: idOf(who), use, ids: known });
}

/** Notes the files that a session changed. */
export function noteWork(state: string, session: string, files: [path: string, atMs: number][]): void {
  const last = Math.max(...files.map(([, atMs]) => atMs));
  if (files.length > 0) append(state, { atMs: last, session: idOf(session), use: 'worked', files });
}

/** Tells whether anything waits to be counted. */
export function hasUse(state: string): boolean {
  return existsSync(logPath(state)) || existsSync(join(state, 'use', 'taken'));
}

/** Gives all lines to `count`, and removes them once it returns; nothing if there are none. */
export function takeUse(state: string, count: (lines: UseLine[]) => void): void {
  const taken = join(state, 'use', 'taken');
  // Left by a process that was killed before it had counted them, or after.
  if (!existsSync(taken)) {
    if (!existsSync(logPath(state))) return;
    renameSync(logPath(state), taken);
  }
  count(notedLines(taken).flatMap(decode));
  rmSync(taken, { force: true });
}

function logPath(state: string): string {
  return join(state, 'use', 'log');
}

/** Never throws: a count that cannot be written must not hurt an agent. */
function append(state: string, line: UseLine): void {
  try {
    const path = logPath(state);
    createFolder(dirname(path), 0o700);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST) return;
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // `doctor` checks the folder itself.
  }
}

/** Empty for a damaged line. */
function decode(text: string): UseLine[] {
  const { atMs, session, use, ids, files } = fieldsOf(jsonIn(text));
  if (typeof atMs !== 'number' || typeof session !== 'string' || !isId(session)) return [];
  if ((use === 'injected' || use === 'fetched') && Array.isArray(ids)) {
    return [{ atMs, session, use, ids: ids.filter((id) => typeof id === 'string' && isId(id)) }];
  }
  return use === 'worked' && Array.isArray(files) ? [{ atMs, session, use, files: files.filter(isFile) }] : [];
}

function isFile(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number';
}
