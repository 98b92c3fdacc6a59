import { constants, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { isSystemError } from '../../errors.ts';
import type { Checkout } from '../../git/locate.ts';
import { accessSync, existsSync, realpathSync, statSync } from '../../looks.ts';
import { type Environment, stateFolder } from '../../user-folders.ts';
import { idOf } from '../id.ts';
import { createFolder } from './create-folder.ts';

/** Every place that git-mem uses in one checkout; all absolute. */
export interface Layout {
  /** The committed store. */
  memory: string;
  /** Everything that is not memory, shared by all worktrees and never committed. */
  state: string;
  /** Other state folders that may hold events: the fallback, when a sandboxed hook had to use it. */
  otherStates: string[];
  /** The private store. */
  private: string;
}

/** The file that notes a repository, for all its worktrees, as set up by this user. */
export function registration(commonDir: string, env: Environment): string {
  return join(stateFolder(env) ?? '/nonexistent', 'repositories', `${idOf(commonDir)}.json`);
}

/**
 * The places of a checkout. State goes to the git common dir; `GIT_MEM_STATE` moves it, and if the git dir cannot be
 * written it falls back to the XDG state folder, one folder per repository.
 */
export function layoutOf({ root, commonDir }: Checkout, env: Environment): Layout {
  // The launcher reads the variable at the worktree's top, so a relative path starts there.
  const own = env.GIT_MEM_STATE ? resolve(root, env.GIT_MEM_STATE) : join(commonDir, 'git-mem');
  // Its name takes a hash, which most hooks do not need: the code for that is loaded only when called.
  let name: string | undefined;
  const fallback = () => {
    name ??= fallbackState(commonDir, env);
    return name;
  };
  let others: string[] | undefined;
  const state = isWritable(own) || isOthers(fallback()) || !isWritable(fallback()) ? own : fallback();
  return {
    memory: join(root, '.memory'),
    state,
    get otherStates() {
      others ??= [own, ...(isOthers(fallback()) ? [] : [fallback()])].filter((dir) => dir !== state);
      return others;
    },
    private: join(state, 'private'),
  };
}

/** Whether state had to go outside the git dir. */
export function isFallback(layout: Layout, checkout: Checkout, env: Environment): boolean {
  return layout.state === fallbackState(checkout.commonDir, env);
}

function fallbackState(commonDir: string, env: Environment): string {
  const folder = stateFolder(env) ?? join(tmpdir(), '.local', 'state', 'git-mem');
  let real = commonDir;
  try {
    real = realpathSync(commonDir);
  } catch {
    // A common dir that cannot be resolved is still named the same way each time.
  }
  const repository = basename(dirname(real)) || 'repository';
  return join(folder, `${repository}-${idOf(real)}`);
}

/** Whether another user made it: without a home it is in a shared place, and somebody else's ledger proves nothing. */
function isOthers(dir: string): boolean {
  try {
    const owner = statSync(dir, { throwIfNoEntry: false })?.uid;
    return owner !== undefined && process.getuid !== undefined && owner !== process.getuid();
  } catch {
    return true; // Our own folder would be accessible to us.
  }
}

/** Creates the folder, for its owner alone, and returns whether files can be created in it. */
function isWritable(dir: string): boolean {
  try {
    createFolder(dir, 0o700);
    accessSync(dir, constants.W_OK | constants.X_OK);
    // markdownlint-cli2 '**/*.md' also looks into .git, where private records are.
    const lint = join(dir, '.markdownlint.json');
    if (!existsSync(lint)) writeFileSync(lint, '{ "default": false }\n', { mode: 0o600 });
    return true;
  } catch (error) {
    // Read-only or foreign: the caller falls back, `doctor` reports it. A full disk or a passing failure is no reason
    // to fall back: what is written elsewhere meanwhile would not be found here.
    return isSystemError(error, 'EIO', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE');
  }
}
