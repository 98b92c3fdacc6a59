import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './create-folder.ts';

/** A few thousand lines; the rotated file keeps as many. */
const MAX_BYTES = 256 * 1024;

/** Adds a line to `hook.log`, rotated once. Never throws. Must not get a payload's text, which is not redacted. */
export function log(state: string, line: string, now: Date): void {
  try {
    createFolder(state, 0o700);
    const path = join(state, 'hook.log');
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_BYTES) renameSync(path, `${path}.1`);
    appendFileSync(path, `${now.toISOString()} ${line.replace(/\s+/g, ' ')}\n`, { mode: 0o600 });
  } catch {
    // A log that cannot be written must not hurt the host; `doctor` checks the folder itself.
  }
}
