import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Has a file written to the disk, so that renaming it over another takes no time and survives a crash whole. */
export function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
