import type { LoadedConfig } from '../config.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Environment } from '../user-folders.ts';

export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** The next step; empty if there is nothing to do. */
  hint: string;
}

/** The machine that git-mem runs on. */
export interface Machine {
  env: Environment;
  /** Version of Node, without the `v`. */
  node: string;
  /** Version of this git-mem. */
  version: string;
  now: Date;
}

/** One repository on a machine. */
export interface Patient extends Machine {
  workspace: Workspace;
  loaded: LoadedConfig;
}

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message, hint: '' };
}

export function warn(name: string, message: string, hint = ''): Check {
  return { name, status: 'warn', message, hint };
}

export function fail(name: string, message: string, hint: string): Check {
  return { name, status: 'fail', message, hint };
}

/** The next step where something that `init` writes is missing. */
export const INIT = 'Run `git mem init`.';

/** The next step in a checkout without the folder. */
export const NOT_SET_UP = 'This checkout is not set up: run `git mem init`.';

/** Suggests creating a first memory if there is none. */
export const FIRST_MEMORY =
  '`git mem bootstrap --dry-run` shows what the files say; `git mem bootstrap --agent` prints what to ask of your agent.';

/** What GIT_MEM=0 means. */
export const SWITCHED_OFF =
  'GIT_MEM=0 is set: nothing is captured, injected or served. Commands that you type still work.';
