import { constants, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import { isSystemError } from '../../../errors.ts';
import { matchesGlob } from '../../../memory/glob.ts';
import { idOf } from '../../../memory/id.ts';
import { replaceFile } from '../../../memory/store/atomic.ts';
import { readJson } from '../../../memory/store/json-file.ts';
import type { Environment } from '../../../user-folders.ts';
import type { LogFiles } from '../../agents/event.ts';

export interface LogFile {
  path: string;
  inode: number;
  size: number;
  /** Milliseconds since 1970. */
  changedMs: number;
}

/** Most folders that are searched: too wide a glob should not walk a whole home. */
const MOST_FOLDERS = 20_000;

/** The logs that a host may keep of sessions in a checkout. Links are not followed, so nothing outside the folder is read. */
export function findLogs(logs: LogFiles, root: string, env: Environment): LogFile[] {
  const folder = logFolder(logs, env);
  const pattern = logs.files.replaceAll('{slug}', root.replace(/[^A-Za-z0-9]/g, '-')).split('/');
  let places = [folder];
  for (const part of pattern.slice(0, -1))
    places = places.flatMap((place) => entriesOf(place, part, (entry) => entry.isDirectory())).slice(0, MOST_FOLDERS);
  return places
    .flatMap((place) => entriesOf(place, pattern.at(-1) ?? '', (entry) => entry.isFile()))
    .flatMap((path) => lookAt(path) ?? []);
}

/** A log's current size and identity; undefined if it is not a regular file. */
function lookAt(path: string): LogFile | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? { path, inode: stat.ino, size: stat.size, changedMs: stat.mtimeMs } : undefined;
}

function logFolder({ variable, folder }: LogFiles, env: Environment): string {
  const moved = variable === undefined ? undefined : env[variable];
  return moved && isAbsolute(moved) ? moved : join(env.HOME || homedir(), folder);
}

function entriesOf(folder: string, pattern: string, isWanted: (entry: Dirent) => boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => isWanted(entry) && matchesGlob(pattern, entry.name))
      .map(({ name }) => join(folder, name))
      .sort();
  } catch (error) {
    // A host that was never used here, or a folder that is not the user's.
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

/** Longest line that is read, in bytes: some hold pictures and whole files, most of which is cut anyway. */
export const MAX_LINE = 4 * 1024 * 1024;

/** Small, because only the first line of most logs is read: it shows that they are about another repository. */
const CHUNK = 1 << 16;
const LINE_FEED = 10;

/** One line of a log, with its byte offsets in the file. */
interface LogLine {
  start: number;
  /** After its line feed. */
  end: number;
  /** Undefined where it is too long to read. */
  text: string | undefined;
}

/**
 * The whole lines of a file, however large it is; text without a line feed yet waits for one. A link in
 * the file's place is not followed. Throws system errors.
 */
export async function* linesOf(path: string): AsyncGenerator<LogLine> {
  // Non-blocking: opening a pipe in the log's place would wait for its other end.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(CHUNK);
    let start = 0;
    let held: Buffer[] = [];
    let heldBytes = 0;
    const take = (end: number): LogLine => {
      const text = end - start > MAX_LINE ? undefined : Buffer.concat(held).toString('utf8');
      const line = { start, end, text };
      start = end;
      held = [];
      heldBytes = 0;
      return line;
    };
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, at);
      if (bytesRead === 0) break;
      for (let begin = 0; begin < bytesRead; ) {
        const feed = buffer.subarray(0, bytesRead).indexOf(LINE_FEED, begin);
        const end = feed < 0 ? bytesRead : feed;
        heldBytes += end - begin;
        // A line that is too long is not kept, so that it takes no memory.
        if (heldBytes <= MAX_LINE) held.push(Buffer.from(buffer.subarray(begin, end)));
        else held = [];
        if (feed >= 0) yield take(at + feed + 1);
        begin = end + 1;
      }
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

const schema = z.object({
  path: z.string(),
  inode: z.number(),
  /** Bytes whose events are in the spool. */
  offset: z.number(),
  /** Events before this were left out (milliseconds since 1970). */
  sinceMs: z.number(),
  /** The last reply may still be followed by something of its turn. */
  isReplying: z.boolean(),
});

type ReadSoFar = z.infer<typeof schema>;

const sinceSchema = z.object({ sinceMs: z.number() });

/** What a state folder remembers about logs. If lost or damaged it starts over: event keys prevent duplicates. */
export function logMemory(state: string) {
  const folder = join(state, 'transcripts');
  const placeOf = (path: string) => join(folder, 'logs', `${idOf(path)}.json`);
  const sinceOf = (mapping: string) => join(folder, `${mapping}.json`);
  return {
    lock: join(folder, 'lock'),
    read: (path: string): ReadSoFar | undefined => schema.safeParse(readJson(placeOf(path))).data,
    write: (value: ReadSoFar) => replaceFile(placeOf(value.path), JSON.stringify(value)),
    /**
     * The time from which a mapping's logs are read: the first request for them, or a requested date (milliseconds
     * since 1970), whichever is earlier.
     */
    since(mapping: string, askedMs: number | undefined, nowMs: number): number {
      const known = sinceSchema.safeParse(readJson(sinceOf(mapping))).data?.sinceMs;
      const sinceMs = Math.min(known ?? nowMs, askedMs ?? nowMs);
      if (sinceMs !== known) replaceFile(sinceOf(mapping), JSON.stringify({ sinceMs }));
      return sinceMs;
    },
  };
}
