import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Checkout, readHead } from '../../git/locate.ts';
import { createFolder } from '../../memory/store/create-folder.ts';

/**
 * What the launcher has to know to decide without Node whether an event may call for a request to save: one small file a
 * worktree, `heads/NAME` in the state folder. Its first line is the commit that HEAD named last, its second one `stop`
 * where ends of turns are asked about. Without the file the launcher asks nothing.
 */
type Asking = 'off' | 'commit' | 'stop';

/** In the place of a commit where there is none yet. */
const UNBORN = 'unborn';

/** Writes the mark as a starting session needs it, or takes it away where nobody is to be asked. */
export function putHeadMark(state: string, checkout: Checkout, asking: Asking): void {
  const path = pathOf(state, checkout);
  try {
    if (asking === 'off') {
      rmSync(path, { force: true });
      return;
    }
    createFolder(dirname(path), 0o700);
    write(path, readHead(checkout).commit ?? UNBORN, asking === 'stop' ? 'stop' : '');
  } catch {
    // Then nobody is asked at commits: the next prompt makes up for it.
  }
}

/** Tells whether HEAD names another commit than when it was last looked at, and notes the one that it names. */
export function hasHeadMoved(state: string, checkout: Checkout): boolean {
  const path = pathOf(state, checkout);
  try {
    const [known, asking = ''] = readFileSync(path, 'utf8').split('\n');
    const { commit } = readHead(checkout);
    if (commit === undefined || commit === known) return false;
    write(path, commit, asking);
    return true;
  } catch {
    return false; // No mark: nobody is asked, or it cannot be kept, and one commit would be asked about again and again.
  }
}

function write(path: string, commit: string, asking: string): void {
  writeFileSync(path, `${commit}\n${asking}\n`, { mode: 0o600 });
}

/** Git directories of worktrees have names of their own. */
function pathOf(state: string, { gitDir }: Checkout): string {
  return join(state, 'heads', basename(gitDir));
}
