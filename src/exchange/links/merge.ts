import { documentOf } from '../../recall/index/document.ts';
import type { Statistics } from '../../recall/index/memory-index.ts';
import { parseQuery } from '../../recall/query/parse-query.ts';
import { isWordless } from '../../recall/query/query.ts';
import { bm25f } from '../../recall/search/bm25f.ts';
import { RANKING } from '../../recall/search/ranking.ts';
import type { SearchRequest, SearchResult } from '../../recall/search/search.ts';
import { termWeights } from '../../recall/search/term-weights.ts';
import type { Source, SourceHit } from './sources.ts';

interface Answer {
  source: Source;
  result: SearchResult;
}

/**
 * The answers of several stores in one order; among equals those of the first store come first. A score says how close
 * a hit is to the best of its own store, so the best hits of two stores score alike however good they are. The match of
 * each store's best hit is therefore measured again, by the word statistics of all stores together, and the store's
 * scores are scaled to that: each keeps its own order. Without a question the newest come first.
 */
export function merged(answers: Answer[], { text, limit, now }: SearchRequest): SourceHit[] {
  if (answers.length === 1) return answers.flatMap(marked);
  const query = parseQuery(text, now ?? new Date());
  if (isWordless(query)) return newestFirst(answers.flatMap(marked)).slice(0, limit);
  const together = pooled(answers.flatMap(({ result }) => result.statistics ?? []));
  const match = bm25f(termWeights(query, together), together.meanLengths, RANKING);
  const levels = answers.map(({ result }) =>
    mostOf(result.hits.map(({ annotated: { record } }) => match(documentOf(record, '')).lexical)),
  );
  const highest = mostOf(levels);
  const scaled = answers.flatMap((answer, i) => {
    const best = mostOf(answer.result.hits.map(({ score }) => score)) || 1;
    // If no word matches anywhere, only vectors found something, and nothing distinguishes the stores.
    const level = highest > 0 ? (levels[i] ?? 0) / highest : 1;
    return marked(answer).map((hit) => ({ ...hit, score: (hit.score / best) * level }));
  });
  return scaled.sort((a, b) => b.score - a.score).slice(0, limit);
}

function marked({ source, result }: Answer): SourceHit[] {
  return result.hits.map((hit) => ({ ...hit, source }));
}

function newestFirst(hits: SourceHit[]): SourceHit[] {
  const createdOf = ({ annotated }: SourceHit) => annotated.record.generated.at;
  return hits.sort((a, b) => Number(createdOf(a) < createdOf(b)) - Number(createdOf(a) > createdOf(b)));
}

/** The statistics as if all records were in one store. */
function pooled(all: Statistics[]): Statistics {
  const documents = all.reduce((sum, one) => sum + one.documents, 0);
  const frequencies = new Map<string, number>();
  for (const one of all) {
    for (const [term, count] of one.frequencies) frequencies.set(term, (frequencies.get(term) ?? 0) + count);
  }
  const lengths = all[0]?.meanLengths ?? [];
  const meanLengths = lengths.map((_, f) => {
    const tokens = all.reduce((sum, one) => sum + (one.meanLengths[f] ?? 0) * one.documents, 0);
    return tokens / Math.max(1, documents);
  });
  return { documents, frequencies, meanLengths };
}

function mostOf(values: number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
