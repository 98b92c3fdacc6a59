import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Linux's in-memory file system; other systems have none at a fixed path. */
const MEMORY = '/dev/shm';
/** Bytes. A run holds some hundred megabytes at once; containers often have 64 MB there in all. */
const ENOUGH = 4 * 2 ** 30;

/**
 * A folder in memory for all that a run writes, because half of the time that the system spends on a run is the disk's;
 * undefined where there is no such place, it is small, or nothing may be executed in it, as in many containers.
 */
export function folderInMemory(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH) return undefined;
    folder = mkdtempSync(join(MEMORY, 'git-mem-tests-'));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program, { stdio: 'ignore' });
    rmSync(program);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
