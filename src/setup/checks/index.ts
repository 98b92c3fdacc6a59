import { withCache } from '../../recall/index/cache.ts';
import { conditionOf } from '../../recall/index/condition.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';

/** Reports which search index answers here, and why if it is not the usual one. */
export async function checkIndex({ workspace }: Patient): Promise<Check> {
  return withCache(workspace, async (cache) => {
    const { kind, engine, persistent, documents, reason } = await conditionOf(workspace, cache);
    if (kind === 'sqlite' && persistent) {
      const why = reason === undefined ? '' : ` ${reason}.`;
      return ok('index', `SQLite by ${engine}, ${documents} searchable.${why}`);
    }
    const message = reason ?? `${kind}, in memory only.`;
    const hint =
      kind === 'minisearch'
        ? 'Search still works, only slower, and starts from the files each time: use Node 22.16 or newer, which has SQLite, or install git-mem again with install scripts allowed.'
        : 'Search still works, only slower: make the state folder writable.';
    return warn('index', message, workspace.env.GIT_MEM_CACHE ? 'Unset GIT_MEM_CACHE for the usual one.' : hint);
  });
}
