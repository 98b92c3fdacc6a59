import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { countEvents } from '../../capture/spool/spool.ts';
import { locate } from '../../git/locate.ts';
import { fieldsOf } from '../../json.ts';
import { layoutOf } from '../../memory/store/layout.ts';
import { countRecords, readHidden, readTally, tallyPath } from '../../recall/briefing/tally.ts';
import type { Environment } from '../../user-folders.ts';
import { readPayload } from './host-payload.ts';

export interface StatusLineInput {
  /** What the host sent; asked for unless the directory is given. */
  input: () => Promise<Buffer>;
  /** The directory asked for; if undefined, the one that the host names. */
  directory: string | undefined;
  cwd: string;
  env: Environment;
}

/**
 * The memory in one line for a host's status line, by Claude Code's protocol
 * (https://code.claude.com/docs/en/statusline): `memory 132 · 3 pending · 2 stale · 1 unreviewed`. Reads folder
 * listings only, because it runs at every turn; numbers that need git are from the last session start, `list` or
 * `status`. Empty if there is no memory; never throws.
 */
export async function statusLine({ input, directory, cwd, env }: StatusLineInput): Promise<string> {
  if (env.GIT_MEM === '0') return '';
  try {
    const places = directory === undefined ? [...namedIn(readPayload(await input()).payload), cwd] : [directory];
    const place = places.map(locate).find((one) => one !== undefined && hasMemory(one.root));
    if (place === undefined) return '';
    const { memory, state, otherStates, private: ownPrivate } = layoutOf(place, env);
    const waiting = [state, ...otherStates].reduce((sum, dir) => sum + countEvents(dir).pending, 0);
    const { stale = 0, unreviewed = 0 } = readTally(state, place) ?? {};
    const listed = countRecords([memory, ownPrivate], tallyPath(state, place, 'counts'), Date.now());
    const parts = [
      `memory ${Math.max(0, listed - readHidden(state, place))}`,
      part(waiting, 'pending'),
      part(stale, 'stale'),
      part(unreviewed, 'unreviewed'),
    ];
    return `${parts.filter(Boolean).join(' · ')}\n`;
  } catch {
    return ''; // An error in a status line helps nobody; `git mem doctor` checks the same places.
  }
}

/** The directories in the host's payload, the agent's own first. */
function namedIn(payload: Record<string, unknown> | undefined): string[] {
  const { current_dir, project_dir } = fieldsOf(payload?.workspace);
  return [current_dir, project_dir, payload?.cwd].flatMap((path) =>
    typeof path === 'string' && path !== '' ? path : [],
  );
}

function part(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}`;
}

/** A link in place of the folder may lead anywhere, and does not count as a memory. */
function hasMemory(root: string): boolean {
  return lstatSync(join(root, '.memory'), { throwIfNoEntry: false })?.isDirectory() ?? false;
}
