import { type SearchRequest, type SearchResult, search } from '../../recall/search/search.ts';
import { merged } from './merge.ts';
import type { Source, SourceHit } from './sources.ts';

/**
 * Searches this repository's memory and the linked ones, and merges the answers. Records that this repository has
 * itself are not taken from others, and it comes first among equals.
 */
export async function searchSources(
  own: Source,
  linked: Source[],
  request: SearchRequest,
): Promise<Omit<SearchResult, 'hits'> & { hits: SourceHit[] }> {
  const start = performance.now();
  const { stores } = own.workspace;
  const withoutIds = linked.length > 0 ? new Set([...stores.team.ids(), ...stores.private.ids()]) : undefined;
  const mine = await search(own.workspace, own.cache, request);
  const theirs: { source: Source; result: SearchResult }[] = [];
  // A model's vectors exist for this repository's records only.
  const { embedder: _, ...plain } = request;
  for (const source of linked) {
    const result = await search(source.workspace, source.cache, { ...plain, ...(withoutIds && { withoutIds }) });
    theirs.push({ source, result });
  }
  const answers = [{ source: own, result: mine }, ...theirs];
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  return { ...mine, total, hits: merged(answers, request), tookMs: performance.now() - start };
}
