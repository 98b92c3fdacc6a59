import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../../src/setup/demo.ts';

/** A temporary folder without symbolic links in its path; the caller removes it. */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-scratch-')));
}

/** The same, removed when the test ends. */
export function scratchFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}
