import type { SearchRequest } from '../../recall/search/search.ts';
import { merged } from './merge.ts';
import { answersOf, prospectsOf } from './search.ts';
import type { Source, SourceHit } from './sources.ts';

/** What one memory has for a question. */
export interface Known {
  source: Source;
  /** Its best records; scores compare between memories. */
  hits: SourceHit[];
  /** How many records match. */
  total: number;
}

/** The memories that have something for a question, best first, at most `most`; `more` says how many others might. */
export async function knownIn(
  sources: Source[],
  request: SearchRequest,
  most: number,
): Promise<{ known: Known[]; more: number }> {
  const plain = { ...request, filter: { ...request.filter, store: 'team' as const } };
  const { prospects, level } = await prospectsOf(sources, plain);
  const answers = await answersOf(prospects.splice(0, most), plain);
  const known = new Map<Source, Known>();
  for (const hit of merged(answers, level)) {
    const total = answers.find(({ source }) => source === hit.source)?.result.total ?? 0;
    const one = known.get(hit.source) ?? { source: hit.source, hits: [], total };
    one.hits.push(hit);
    known.set(hit.source, one);
  }
  return { known: [...known.values()], more: prospects.length };
}
