import { openCache } from '../../src/index/cache.ts';
import { searchIndex } from '../../src/search/search-index.ts';
import { observation, type Scratch } from './scratch.ts';

/** Asks the cache of a repository one question. */
export async function ask(repo: Scratch, text: string, env: Record<string, string> = {}) {
  const cache = openCache({ ...repo.workspace, env });
  try {
    const titles = await cache.query((index) =>
      searchIndex(index, { text, limit: 5 }).hits.map(({ document }) => document.card.title),
    );
    return { titles, state: cache.state() };
  } finally {
    cache.close();
  }
}

/** Writes so many records, each about a topic of its own. */
export function fill(repo: Scratch, count: number): void {
  for (let i = 0; i < count; i++) {
    repo.write(
      observation(`record number${i}`, {
        narrative: `It speaks of topic${i} and little else.`,
        files_modified: [`src/f${i}.ts`],
      }),
    );
  }
}
