import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Most files looked at by one sweep: hooks sweep, and a busy user has thousands of sessions. */
const MOST_LOOKED_AT = 64;

/**
 * Removes files, or those with a prefix, from a folder of our own if they were not written for `ageMs`; `nowMs` since
 * 1970. Of many files, each sweep looks at different ones.
 */
export function sweep(
  folder: string,
  { ageMs, nowMs, prefix = '' }: { ageMs: number; nowMs: number; prefix?: string },
): void {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
    const first = names.length > MOST_LOOKED_AT ? nowMs % names.length : 0;
    for (const name of [...names, ...names].slice(first, first + Math.min(names.length, MOST_LOOKED_AT))) {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat && !stat.isDirectory() && nowMs - stat.mtimeMs > ageMs) rmSync(path, { force: true });
    }
  } catch {
    // No folder yet, or no permission to change it: the next sweep tries again.
  }
}
