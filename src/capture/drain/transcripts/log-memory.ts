import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isSystemError } from '../../../errors.ts';
import { idOf } from '../../../memory/id.ts';
import { replaceFile } from '../../../memory/store/atomic.ts';

const schema = z.object({
  path: z.string(),
  inode: z.number(),
  /** Bytes whose events are in the spool. */
  offset: z.number(),
  /** What the log reported before this was left out (milliseconds since 1970). */
  sinceMs: z.number(),
  /** A reply waits for what follows it. */
  isReplying: z.boolean(),
});

/** How far a log was read. */
export type ReadSoFar = z.infer<typeof schema>;

const sinceSchema = z.object({ sinceMs: z.number() });

/** What is remembered of logs in a state folder. Lost or damaged, it is started over: events have keys, so nothing doubles. */
export function logMemory(state: string) {
  const folder = join(state, 'transcripts');
  const placeOf = (path: string) => join(folder, 'logs', `${idOf(path)}.json`);
  const sinceOf = (mapping: string) => join(folder, `${mapping}.json`);
  return {
    lock: join(folder, 'lock'),
    read: (path: string): ReadSoFar | undefined => parsed(schema, placeOf(path)),
    write: (value: ReadSoFar) => replaceFile(placeOf(value.path), JSON.stringify(value)),
    forget: (path: string) => rmSync(placeOf(path), { force: true }),
    /**
     * From when on a mapping's logs are read: from the first time that they were asked for, or from a date that was
     * asked for (milliseconds since 1970), whichever is earlier.
     */
    since(mapping: string, askedMs: number | undefined, nowMs: number): number {
      const known = parsed(sinceSchema, sinceOf(mapping))?.sinceMs;
      const sinceMs = Math.min(known ?? nowMs, askedMs ?? nowMs);
      if (sinceMs !== known) replaceFile(sinceOf(mapping), JSON.stringify({ sinceMs }));
      return sinceMs;
    },
  };
}

export type LogMemory = ReturnType<typeof logMemory>;

function parsed<Value>(shape: z.ZodMiniType<Value>, path: string): Value | undefined {
  try {
    const result = shape.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return result.success ? result.data : undefined;
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
