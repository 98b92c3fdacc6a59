import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Environment variables, by name. */
export type Environment = Record<string, string | undefined>;

/** The user's home; undefined if neither a variable nor the system names one, as in some containers. */
export function homeOf(env: Environment): string | undefined {
  try {
    return env.HOME || env.USERPROFILE || homedir() || undefined;
  } catch {
    return undefined; // No passwd entry.
  }
}

/** Our folder in the user's cache, for what can be fetched or rebuilt. Undefined if the user has no home. */
export function cacheFolder(env: Environment): string | undefined {
  return ourFolder(env.XDG_CACHE_HOME, homeOf(env), '.cache');
}

/** Our folder in the user's state, for what belongs to this machine. */
export function stateFolder(env: Environment): string | undefined {
  return ourFolder(env.XDG_STATE_HOME, homeOf(env), '.local/state');
}

/** Our folder in the user's data, for what the user wrote. */
export function dataFolder(env: Environment): string | undefined {
  return ourFolder(env.XDG_DATA_HOME, homeOf(env), '.local/share');
}

/** Our folder in the user's configuration. */
export function configFolder(env: Environment): string | undefined {
  return ourFolder(env.XDG_CONFIG_HOME, homeOf(env), '.config');
}

/** Relative paths do not count (XDG base directory specification): every checkout would have its own. */
function ourFolder(given: string | undefined, home: string | undefined, usual: string): string | undefined {
  const inHome = home !== undefined && isAbsolute(home) ? join(home, usual) : undefined;
  const base = given !== undefined && isAbsolute(given) ? given : inHome;
  return base && join(base, 'git-mem');
}
