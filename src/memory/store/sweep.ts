import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes files from a folder of our own, or those with a prefix, that were not written for `ageMs`; `nowMs` since 1970. */
export function sweep(
  folder: string,
  { ageMs, nowMs, prefix = '' }: { ageMs: number; nowMs: number; prefix?: string },
): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(prefix)) continue;
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat && !stat.isDirectory() && nowMs - stat.mtimeMs > ageMs) rmSync(path, { force: true });
    }
  } catch {
    // No folder yet, or no right to change it: the next sweep tries again.
  }
}
