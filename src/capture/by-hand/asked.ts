import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { idOf } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { sweep } from '../../memory/store/sweep.ts';

/** An occasion at which a session was asked to save. */
export type Asked = 'prompt' | 'commit' | 'turn-end';

/** Sessions that were asked nothing for this long are over. */
const FORGET_MS = 14 * 86_400_000;

/** Notes that a session is asked now; false where it was asked on such an occasion already, or where that cannot be noted. */
export function claimAsk(state: string, session: string, asked: Asked): boolean {
  const path = pathOf(state, session, asked);
  try {
    createFolder(dirname(path), 0o700);
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false; // Parallel calls end at once, and only one may ask; what cannot be noted would be asked for ever.
  }
}

/** Tells whether a session was asked on such an occasion. */
export function wasAsked(state: string, session: string, asked: Asked): boolean {
  return existsSync(pathOf(state, session, asked));
}

/** Begins a turn: what the one before was asked is forgotten and returned. */
export function forgetAsked(state: string, session: string): boolean {
  const paths = (['prompt', 'commit'] as const).map((asked) => pathOf(state, session, asked));
  const found = paths.filter((path) => existsSync(path));
  for (const path of found) rmSync(path, { force: true });
  return found.length > 0;
}

/** Removes what is known of sessions that are long over. `nowMs` since 1970. */
export function sweepAsked(state: string, nowMs: number): void {
  sweep(join(state, 'asked'), { ageMs: FORGET_MS, nowMs });
}

/** Session ids come from outside: only their hash becomes a file name. */
function pathOf(state: string, session: string, asked: Asked): string {
  return join(state, 'asked', `${idOf(session)}.${asked}`);
}
