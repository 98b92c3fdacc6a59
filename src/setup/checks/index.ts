import { conditionOf, withCache } from '../../index/cache.ts';
import type { Engine } from '../../index/open.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';

/** What each search index costs beside the usual one; docs/troubleshooting.md has the figures. */
const COSTS: Record<Engine, string> = {
  'better-sqlite3': '',
  'node:sqlite': 'Search takes no longer with it.',
  minisearch: 'Search works, but takes many times the processor time and starts from the files each time.',
};

/** Which search index answers here, why if it is not the usual one, and what that costs. */
export function indexWords({ engine, reason }: { engine: Engine; reason?: string | null | undefined }): string {
  const why = reason ? `${reason.replace(/\.?$/, '.')} ${COSTS[engine]}` : '';
  return `${engine}. ${why}`.trim();
}

/** Reports which search index answers here. */
export async function checkIndex({ workspace }: Patient): Promise<Check> {
  return withCache(workspace, async (cache) => {
    const { kind, engine, persistent, documents, reason } = await conditionOf(workspace, cache);
    if (kind === 'sqlite' && persistent) {
      const why = reason === undefined ? '' : ` ${reason}. ${COSTS[engine]}`;
      return ok('index', `SQLite by ${engine}, ${documents} searchable.${why}`);
    }
    const message = reason ?? `${kind}, in memory only.`;
    const hint =
      kind === 'minisearch'
        ? `${COSTS[engine]} Use Node 22.16 or newer, which has SQLite, or install git-mem again with install scripts allowed.`
        : 'Search still works, only slower: make the state folder writable.';
    return warn('index', message, workspace.env.GIT_MEM_CACHE ? 'Unset GIT_MEM_CACHE for the usual one.' : hint);
  });
}
