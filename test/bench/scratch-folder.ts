import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../src/setup/demo.ts';

/** Does something in a temporary folder, which is removed afterwards; benchmarks have no end of a test to wait for. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-bench-')));
  try {
    return await work(folder);
  } finally {
    await removeFolder(folder);
  }
}
