import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Removes what was not written for `ageMs` from a folder of our own. `nowMs` since 1970. */
export function sweep(folder: string, { ageMs, nowMs }: { ageMs: number; nowMs: number }): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat && nowMs - stat.mtimeMs > ageMs) rmSync(path, { force: true, recursive: true });
    }
  } catch {
    // No folder yet, or not ours to change: the next one who sweeps tries again.
  }
}
