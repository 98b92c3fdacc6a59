import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../errors.ts';

/** The lines that hooks and drains wrote to `hook.log` since a time (milliseconds since 1970), oldest first. */
export function logLinesSince(state: string, sinceMs: number): string[] {
  const since = new Date(sinceMs).toISOString();
  return ['hook.log.1', 'hook.log'].flatMap((name) => linesOf(join(state, name))).filter((line) => line > since);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
