import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { type Checkout, readHead } from '../../git/locate.ts';
import { createFolder } from '../../memory/store/create-folder.ts';

// One small file per worktree, `heads/NAME` in the state folder, lets the launcher decide without Node whether an event
// may call for a request to save. Its first line is the commit that HEAD named last, its second is `stop` where ends of
// turns are asked about. Without the file the launcher asks nothing.

/** Stands for the commit where there is none yet. */
const UNBORN = 'unborn';

/** Writes the file for a starting session, or removes it where agents are not to be asked. */
export function putHeadMark(state: string, checkout: Checkout, asking: Config['capture']['ask']): void {
  const path = pathOf(state, checkout);
  try {
    if (asking === 'off') {
      rmSync(path, { force: true });
      return;
    }
    createFolder(dirname(path), 0o700);
    write(path, readHead(checkout).commit ?? UNBORN, asking === 'stop' ? 'stop' : '');
  } catch {
    // Then no commit asks: the next prompt makes up for it.
  }
}

/** Tells whether HEAD names another commit than at the last look, and notes the commit that it names now. */
export function hasHeadMoved(state: string, checkout: Checkout): boolean {
  const path = pathOf(state, checkout);
  try {
    const [known, asking = ''] = readFileSync(path, 'utf8').split('\n');
    const { commit } = readHead(checkout);
    if (commit === undefined || commit === known) return false;
    write(path, commit, asking);
    return true;
  } catch {
    return false; // No file: asking is off, or it cannot be written and every event would ask about the same commit.
  }
}

function write(path: string, commit: string, asking: string): void {
  writeFileSync(path, `${commit}\n${asking}\n`, { mode: 0o600 });
}

/** Each worktree's git directory has a unique name. */
function pathOf(state: string, { gitDir }: Checkout): string {
  return join(state, 'heads', basename(gitDir));
}
