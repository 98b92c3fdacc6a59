import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The environment variables that move things. */
export type Environment = Record<string, string | undefined>;

/** The user's home; undefined where neither a variable nor the machine names one, as in some containers. */
export function homeOf(env: Environment): string | undefined {
  try {
    return env.HOME || env.USERPROFILE || homedir() || undefined;
  } catch {
    return undefined; // No passwd entry.
  }
}

/** Our folder in the user's cache: what can be fetched or made again. Undefined where the user has no place. */
export function cacheFolder(env: Environment): string | undefined {
  return ourFolder(env.XDG_CACHE_HOME, homeOf(env), '.cache');
}

/** Our folder in the user's state: what belongs to this machine. */
export function stateFolder(env: Environment): string | undefined {
  return ourFolder(env.XDG_STATE_HOME, homeOf(env), '.local/state');
}

/** Our folder in the user's configuration. */
export function configFolder(env: Environment): string | undefined {
  return ourFolder(env.XDG_CONFIG_HOME, homeOf(env), '.config');
}

/** A relative variable is void (https://specifications.freedesktop.org/basedir-spec/latest/): every checkout would have its own. */
function ourFolder(given: string | undefined, home: string | undefined, usual: string): string | undefined {
  const inHome = home !== undefined && isAbsolute(home) ? join(home, usual) : undefined;
  const base = given !== undefined && isAbsolute(given) ? given : inHome;
  return base && join(base, 'git-mem');
}
