import { GitMemError, messageOf } from '../errors.ts';
import type { Environment } from '../user-folders.ts';
import type { CommandUse } from './git.ts';

/** Longest wait for one child, in milliseconds: allows a large memory over a slow line, bounds a server that trickles. */
const PATIENCE_MS = 30 * 60_000;

/** The allowed protocols, whatever settings or redirects say: `ext` runs programs, `http` can be altered in transit. */
const PROTOCOLS = [
  'protocol.allow=never',
  // By name too: a user's setting for one protocol beats ours for all.
  ...['ext', 'http', 'ftp', 'ftps'].map((protocol) => `protocol.${protocol}.allow=never`),
  ...['https', 'ssh', 'file', 'git'].map((protocol) => `protocol.${protocol}.allow=always`),
];

/** A server that sends next to nothing for a minute is given up on. */
const STALLED = ['http.lowSpeedLimit=100', 'http.lowSpeedTime=60'];

const QUIET = ['gc.auto=0', 'maintenance.auto=false'];

/**
 * Runs one git command that may use the network, and returns its standard output; only for commands meant to do so. It
 * never prompts for a password. `settings` are further git settings; `onProgress` receives git's own output. Throws
 * `git` when git is missing, fails or takes too long.
 */
export async function networkGit(
  cwd: string,
  args: string[],
  env: Environment,
  { settings = [], ...use }: { settings?: string[] } & Pick<CommandUse, 'input' | 'onProgress' | 'signal'> = {},
): Promise<string> {
  // Searches import this file too, and must not load a package that they never use.
  const { commandGit } = await import('./git.ts');
  const config = [...PROTOCOLS, ...STALLED, ...QUIET, ...settings];
  try {
    return await commandGit(cwd, args, env, { ...use, config, patienceMs: PATIENCE_MS });
  } catch (cause) {
    throw new GitMemError('git', messageOf(cause), {
      hint: 'Try the same address with `git ls-remote`; git-mem never prompts for passwords.',
    });
  }
}

/** An address without its user part, which may contain a password. */
export function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, '$1');
}

/** Settings for a clone without contents, where negotiation is pointless: git would look among the requested contents. */
export const WITHOUT_CONTENTS = ['fetch.negotiationAlgorithm=noop'];

/** The commit that a remote's HEAD names, which is the tip of its default branch; empty for a repository without one. */
export async function remoteHead(url: string, env: Environment, signal?: AbortSignal): Promise<string> {
  const advertised = await networkGit('/', ['ls-remote', '--', url, 'HEAD'], env, signal && { signal });
  return /^([\da-f]{40,64})\tHEAD$/m.exec(advertised)?.[1] ?? '';
}
