import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../../src/demo/remove-folder.ts';

/** A temporary folder without symbolic links in its path, removed when the test ends. */
export function scratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-mem-scratch-')));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
