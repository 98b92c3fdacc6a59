import { join } from 'node:path';
import * as z from 'zod/mini';
import { replaceFile } from '../../memory/store/atomic.ts';
import { readNotes } from '../../memory/store/json-file.ts';
import { tryLock } from '../../memory/store/lock.ts';
import { hasUse, takeUse, type UseLine } from '../../memory/store/use-log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Cache } from '../index/cache.ts';
import type { RecordUse } from './record-use.ts';
import { openRenames } from './renamed-files.ts';

/** The uses of all records in this clone. */
export interface UseCounts {
  /** When counting began here, in milliseconds since 1970. */
  sinceMs: number;
  of(id: string): RecordUse;
}

const count = () => z.number().check(z.nonnegative());
const use = z.object({ injected: count(), fetched: count(), followed: count(), lastMs: count() });
/** A record in a session: when it was first there, and as what it was counted. */
const met = z.object({
  atMs: count(),
  injected: z.optional(z.boolean()),
  fetched: z.optional(z.boolean()),
  followed: z.optional(z.boolean()),
});
const schema = z.object({
  sinceMs: count(),
  records: z.record(z.string(), use),
  /** The sessions that may go on, so that each counts a record once. */
  sessions: z.record(z.string(), z.object({ lastMs: count(), records: z.record(z.string(), met) })),
});
type Counted = z.infer<typeof schema>;

/** Sessions without a line for this long are over: one that is resumed later counts its records again. */
const FORGET_MS = 14 * 86_400_000;

const NONE: RecordUse = { injected: 0, fetched: 0, followed: 0, lastMs: 0 };

/** Counts what was noted since the last time, unless another process does the same, and gives the uses of all records. */
export async function countUse(workspace: Workspace, cache: Cache, now: Date): Promise<UseCounts> {
  const folder = join(workspace.layout.state, 'use');
  if (hasUse(workspace.layout.state)) await countLog(workspace, cache, now);
  const counted = readCounts(folder);
  const records = new Map(Object.entries(counted?.records ?? {}));
  return { sinceMs: counted?.sinceMs ?? now.getTime(), of: (id) => records.get(id) ?? NONE };
}

async function countLog(workspace: Workspace, cache: Cache, now: Date): Promise<void> {
  const { state } = workspace.layout;
  const folder = join(state, 'use');
  const lock = tryLock(join(folder, 'lock'));
  if (lock === undefined) return;
  try {
    const { formerNames } = await openRenames(workspace);
    await cache.query(
      (index) => {
        const filesOf = (id: string) => index.named(id)[0]?.card.files ?? [];
        takeUse(state, (lines) => {
          const before = readCounts(folder) ?? { sinceMs: lines[0]?.atMs ?? now.getTime(), records: {}, sessions: {} };
          const counted = counting(before, lines, { filesOf, formerNames }, now.getTime());
          replaceFile(join(folder, 'counts.json'), JSON.stringify(counted));
        });
      },
      { glance: 'folders' },
    );
  } finally {
    lock.release();
  }
}

/** The files that a record cites, and the former names of a file. */
interface Names {
  filesOf(id: string): string[];
  formerNames(path: string): string[];
}

/** The counts with these lines; counting a line again changes nothing. */
function counting(before: Counted, lines: UseLine[], names: Names, nowMs: number): Counted {
  const records = new Map(Object.entries(before.records));
  const sessions = new Map(Object.entries(before.sessions));
  const add = (id: string, what: 'injected' | 'fetched' | 'followed', atMs: number) => {
    const known = records.get(id) ?? NONE;
    const lastMs = what === 'followed' ? known.lastMs : Math.max(known.lastMs, atMs);
    records.set(id, { ...known, [what]: known[what] + 1, lastMs });
  };
  for (const line of lines) {
    const session = sessions.get(line.session) ?? { lastMs: 0, records: {} };
    const seen = new Map(Object.entries(session.records));
    if (line.use === 'worked') {
      for (const id of workedOn(line.files, seen, names)) {
        seen.set(id, { ...(seen.get(id) ?? { atMs: line.atMs }), followed: true });
        add(id, 'followed', line.atMs);
      }
    } else
      for (const id of line.ids) {
        const known = seen.get(id) ?? { atMs: line.atMs };
        if (known[line.use]) continue;
        seen.set(id, { ...known, [line.use]: true });
        add(id, line.use, line.atMs);
      }
    const lastMs = Math.max(session.lastMs, line.atMs);
    sessions.set(line.session, { lastMs, records: Object.fromEntries(seen) });
  }
  const open = [...sessions].filter(([, { lastMs }]) => nowMs - lastMs < FORGET_MS);
  return { sinceMs: before.sinceMs, records: Object.fromEntries(records), sessions: Object.fromEntries(open) };
}

/** The records that a session knew when it changed one of their files. */
function workedOn(
  files: [path: string, atMs: number][],
  seen: ReadonlyMap<string, { atMs: number; followed?: boolean | undefined }>,
  { filesOf, formerNames }: Names,
): string[] {
  const changed = files.map(([path, atMs]) => ({ names: new Set([path, ...formerNames(path)]), atMs }));
  return [...seen]
    .filter(([, { followed }]) => !followed)
    .filter(([id, { atMs: knownMs }]) => {
      const cited = filesOf(id);
      return changed.some(({ names, atMs }) => knownMs <= atMs && cited.some((path) => names.has(path)));
    })
    .map(([id]) => id);
}

/** Undefined if nothing was counted yet, or if the file is damaged. */
function readCounts(folder: string): Counted | undefined {
  return schema.safeParse(readNotes(join(folder, 'counts.json'))).data;
}
