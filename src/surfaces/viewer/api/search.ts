import { search } from '../../../recall/search/search.ts';
import { cardOf } from '../cards.ts';
import type { Library } from '../library.ts';
import type { SearchAnswer } from '../protocol.ts';
import { limitOf, narrowingOf } from '../query.ts';

/** Hits that are checked if one freshness is asked for, which only the files can decide. */
const REACH = 1000;

/** The answers to a question, best first. With a freshness filter it checks only the first thousand hits. */
export async function searchFor(library: Library, query: URLSearchParams, now: Date): Promise<SearchAnswer> {
  const { project, cache } = library;
  const { filter, freshness } = narrowingOf(query, now);
  const text = query.get('q') ?? '';
  const limit = limitOf(query, 20);
  const embedder = await project.embedder();
  const judged = await library.snapshotLately();
  const request = { text, filter, limit: freshness === undefined ? limit : REACH, embedder, judged, now };
  const { total, hits, tookMs } = await search(project.workspace, cache, request);
  const passed = freshness === undefined ? hits : hits.filter(({ annotated }) => annotated.freshness === freshness);
  return {
    query: text,
    took_ms: Math.round(tookMs * 10) / 10,
    total: freshness === undefined ? total : passed.length,
    hits: passed.slice(0, limit).map(({ annotated, score, snippet }) => ({
      ...cardOf(annotated),
      score: Math.round(score * 1e4) / 1e4,
      snippet,
    })),
  };
}
