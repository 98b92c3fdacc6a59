import { type SearchHit, search } from '../../../search/search.ts';
import { cardOf } from '../cards.ts';
import type { Library } from '../library.ts';
import type { FoundCard, SearchAnswer } from '../protocol.ts';
import { filterOf, limitOf } from '../query.ts';

/** The answers to a question, best first. */
export async function searchFor(library: Library, query: URLSearchParams, now: Date): Promise<SearchAnswer> {
  const { project, cache } = library;
  const filter = filterOf(query, now);
  const text = query.get('q') ?? '';
  const embedder = await project.embedder();
  const judged = await library.snapshotLately();
  const request = { text, filter, limit: limitOf(query, 20), embedder, judged, now };
  const { total, hits, nearest, tookMs } = await search(project.workspace, cache, request);
  return {
    query: text,
    took_ms: Math.round(tookMs * 10) / 10,
    total,
    hits: hits.map(foundCard),
    ...(nearest && { nearest: foundCard(nearest) }),
  };
}

export function foundCard({ annotated, score, snippet }: SearchHit): FoundCard {
  return { ...cardOf(annotated), score: Math.round(score * 1e4) / 1e4, snippet };
}
