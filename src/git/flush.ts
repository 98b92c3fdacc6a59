import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes a file to the disk, so that renaming it over another is quick and survives a crash complete. */
export function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
