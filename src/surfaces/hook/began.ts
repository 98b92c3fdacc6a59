import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checkout, locate, textOf } from '../../git/locate.ts';
import { idOf } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { registration } from '../../memory/store/layout.ts';
import { sweep } from '../../memory/store/sweep.ts';
import { type Environment, stateFolder } from '../../user-folders.ts';

/** Where hosts say that the session began, whatever folder it is in by now. */
const PROJECT_VARIABLES = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'FACTORY_PROJECT_DIR'];

/** How long it is known where a session began, in milliseconds. */
const FORGET_MS = 14 * 86_400_000;

/**
 * Tells whether a session may be told what a repository's memory says: it began there or in another worktree, or the user
 * set the repository up. A session also enters submodules, clones and folders of dependencies, whose reviewed branches
 * others review. Where it began is what the host says, else the repository of its first hook, which is noted.
 */
export function mayTell(
  { commonDir }: Checkout,
  { session, isStartup, env, nowMs }: { session: string; isStartup: boolean; env: Environment; nowMs: number },
): boolean {
  const said = PROJECT_VARIABLES.map((name) => env[name]).find(Boolean);
  const began = said === undefined ? noted(commonDir, { session, isStartup, env, nowMs }) : locate(said)?.commonDir;
  return began === commonDir || existsSync(registration(commonDir, env));
}

function noted(
  commonDir: string,
  { session, isStartup, env, nowMs }: { session: string; isStartup: boolean; env: Environment; nowMs: number },
): string {
  const folder = join(stateFolder(env) ?? '/nonexistent', 'began');
  const file = join(folder, idOf(session));
  const before = isStartup ? undefined : textOf(file);
  if (before !== undefined) return before;
  try {
    createFolder(dirname(file), 0o700);
    sweep(folder, { ageMs: FORGET_MS, nowMs });
    writeFileSync(file, commonDir, { mode: 0o600 });
  } catch {
    // No home, or it is not writable: each hook counts as the first.
  }
  return commonDir;
}
