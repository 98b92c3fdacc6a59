import type { Environment } from '../user-folders.ts';
import { networkGit } from './network.ts';

/**
 * Settings for a clone without contents, which has nothing to negotiate: git would look among the requested contents.
 */
export const WITHOUT_CONTENTS = ['fetch.negotiationAlgorithm=noop'];

/**
 * The commit that a remote's HEAD names, which is the tip of its default branch; empty for a repository without one.
 */
export async function remoteHead(
  url: string,
  env: Environment,
  { signal }: { signal?: AbortSignal } = {},
): Promise<string> {
  const advertised = await networkGit(
    '/',
    ['ls-remote', '--', url, 'HEAD'],
    env,
    signal === undefined ? {} : { signal },
  );
  return /^([\da-f]{40,64})\tHEAD$/m.exec(advertised)?.[1] ?? '';
}
