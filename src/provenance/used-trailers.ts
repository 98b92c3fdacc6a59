import { askGit } from '../git/objects.ts';
import { isId } from '../memory/id.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** The commits whose messages name a record as used, as `git mem trailers` writes it. */
export interface TrailerUse {
  commits: number;
  /** When the last of them was made, in milliseconds since 1970. */
  lastMs: number;
}

/** The records that `Memory-Used:` trailers name in the history of HEAD, by id. One git child. */
export async function usedInCommits(workspace: Workspace): Promise<Map<string, TrailerUse>> {
  const format = '--format=%ct%x00%(trailers:key=Memory-Used,valueonly,separator=%x20)';
  const question = ['log', '--no-show-signature', '--grep=^Memory-Used:', format, 'HEAD', '--'];
  const output = await askGit(workspace, question);
  const uses = new Map<string, TrailerUse>();
  for (const line of (output ?? '').split('\n')) {
    const [seconds = '', named = ''] = line.split('\0');
    for (const id of new Set(named.split(/[\s,]+/).filter(isId))) {
      const { commits, lastMs } = uses.get(id) ?? { commits: 0, lastMs: 0 };
      uses.set(id, { commits: commits + 1, lastMs: Math.max(lastMs, Number(seconds) * 1000) });
    }
  }
  return uses;
}
