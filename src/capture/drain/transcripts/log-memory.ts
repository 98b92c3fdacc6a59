import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { idOf } from '../../../memory/id.ts';
import { replaceFile } from '../../../memory/store/atomic.ts';
import { readJson } from '../../../memory/store/json-file.ts';

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

export type ReadSoFar = z.infer<typeof schema>;

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
    forget: (path: string) => rmSync(placeOf(path), { force: true }),
    /**
     * From when on a mapping's logs are read: from the first time they were requested, or from a requested date
     * (milliseconds since 1970), whichever is earlier.
     */
    since(mapping: string, askedMs: number | undefined, nowMs: number): number {
      const known = sinceSchema.safeParse(readJson(sinceOf(mapping))).data?.sinceMs;
      const sinceMs = Math.min(known ?? nowMs, askedMs ?? nowMs);
      if (sinceMs !== known) replaceFile(sinceOf(mapping), JSON.stringify({ sinceMs }));
      return sinceMs;
    },
  };
}

export type LogMemory = ReturnType<typeof logMemory>;
