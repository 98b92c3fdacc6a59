import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes files from a folder of our own that were not written for `ageMs`. `nowMs` since 1970. */
export function sweep(folder: string, { ageMs, nowMs }: { ageMs: number; nowMs: number }): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat && nowMs - stat.mtimeMs > ageMs) rmSync(path, { force: true, recursive: true });
    }
  } catch {
    // No folder yet, or no right to change it: the next sweep tries again.
  }
}
