import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { idOf } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { sweep } from '../../memory/store/sweep.ts';
import type { Occasion } from '../agents/question.ts';

/** What a session was asked with or about: a prompt, the running turn, the whole session. */
type Asked = 'prompt' | 'turn' | 'session';

/** The notes made when a session is asked; the first decides. The end of a turn asks once per session. */
const NOTED: Record<Occasion['kind'], readonly Asked[]> = {
  prompt: ['prompt'],
  'turn-end': ['session', 'turn'],
};

/** A session not asked for two weeks is over; one resumed later is asked once more. */
const FORGET_MS = 14 * 86_400_000;

/** Notes that a session is asked now; false if it was already asked on such an occasion, or if that cannot be noted. */
export function claimAsk(state: string, session: string, kind: Occasion['kind']): boolean {
  try {
    for (const asked of NOTED[kind]) {
      const path = pathOf(state, session, asked);
      createFolder(dirname(path), 0o700);
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    }
    return true;
  } catch {
    return false; // Without a note it would ask every time.
  }
}

/** Tells whether a session was asked with this prompt, or about this turn or session. */
export function wasAskedAbout(state: string, session: string, asked: Asked): boolean {
  return existsSync(pathOf(state, session, asked));
}

/** Begins a turn: removes the previous turn's notes, and tells whether there were any. */
export function forgetAsked(state: string, session: string): boolean {
  const paths = (['prompt', 'turn'] as const).map((asked) => pathOf(state, session, asked));
  const found = paths.filter((path) => existsSync(path));
  for (const path of found) rmSync(path, { force: true });
  return found.length > 0;
}

/** How often a session was asked with its prompts since it last saved something. */
export function unanswered(state: string, session: string): number {
  try {
    return Number(readFileSync(pathOf(state, session, 'unanswered'), 'utf8')) || 0;
  } catch {
    return 0; // Never asked.
  }
}

export function noteUnanswered(state: string, session: string, count: number): void {
  writeFileSync(pathOf(state, session, 'unanswered'), String(count), { mode: 0o600 });
}

/** Removes the notes of sessions that ended long ago. `nowMs` since 1970. */
export function sweepAsked(state: string, nowMs: number): void {
  sweep(join(state, 'asked'), { ageMs: FORGET_MS, nowMs });
}

/** Session ids come from outside: only their hash becomes a file name. */
function pathOf(state: string, session: string, asked: Asked | 'unanswered'): string {
  return join(state, 'asked', `${idOf(session)}.${asked}`);
}
