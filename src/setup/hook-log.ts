import { join } from 'node:path';
import { linesIn } from '../memory/store/lines.ts';

/** The lines that hooks and drains wrote to `hook.log` since a time (milliseconds since 1970), oldest first. */
export function logLinesSince(state: string, sinceMs: number): string[] {
  const since = new Date(sinceMs).toISOString();
  return ['hook.log.1', 'hook.log'].flatMap((name) => linesIn(join(state, name))).filter((line) => line > since);
}
