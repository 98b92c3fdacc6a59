import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Checkout } from '../../git/locate.ts';
import { createFolder } from '../../memory/store/create-folder.ts';

/**
 * Leaves a file for the launcher where turn ends are asked about, which needs Node, and removes it elsewhere. One per worktree,
 * by the unique name of its git directory: `stops/NAME` in the state folder.
 */
export function putStopMark(state: string, { gitDir }: Checkout, asking: Config['capture']['ask']): void {
  const path = join(state, 'stops', basename(gitDir));
  try {
    if (asking === 'stop') {
      createFolder(dirname(path), 0o700);
      writeFileSync(path, '', { mode: 0o600 });
    } else {
      rmSync(path, { force: true });
    }
  } catch {
    // Then no turn end asks; the next prompt makes up for it.
  }
}
