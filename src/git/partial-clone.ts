import type { Environment } from '../user-folders.ts';
import { networkGit } from './network.ts';
import { COMMAND_PATIENCE_MS, runGit } from './objects.ts';

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

/** Which objects of the memories in these commits the server of a partial clone has not sent yet. */
export async function missingObjects(root: string, commits: readonly string[], env: Environment): Promise<string[]> {
  const trees = commits.map((commit) => `${commit}:.memory`);
  const walk = ['rev-list', '--objects', '--missing=print', '--no-object-names', ...trees];
  const listed = (await runGit(root, walk, env, { patienceMs: COMMAND_PATIENCE_MS })) ?? '';
  return listed.split('\n').flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
}
