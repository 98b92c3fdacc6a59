import { documentOf } from '../../recall/index/document.ts';
import type { IndexDocument, Statistics } from '../../recall/index/memory-index.ts';
import { parseQuery } from '../../recall/query/parse-query.ts';
import { isWordless } from '../../recall/query/query.ts';
import { bm25f } from '../../recall/search/bm25f.ts';
import type { SearchRequest, SearchResult } from '../../recall/search/search.ts';
import { termWeights } from '../../recall/search/term-weights.ts';
import type { Source, SourceHit } from './reader.ts';

export interface Answer {
  source: Source;
  result: SearchResult;
}

/** How good the best of some documents of one store is, so that stores compare. */
export type Level = (documents: readonly IndexDocument[]) => number;

/**
 * Measures by the word statistics of all stores together, because a score says only how close a hit is to the best of
 * its own store. Without a question the newest document is the best, and its time the level.
 */
export function levelBy(all: Statistics[], { text, now }: Pick<SearchRequest, 'text' | 'now'>): Level {
  const query = parseQuery(text, now ?? new Date());
  if (isWordless(query)) return (documents) => mostOf(documents.map(({ card }) => Date.parse(card.created)));
  const together = pooled(all);
  const match = bm25f(termWeights(query, together), together.meanLengths);
  return (documents) => mostOf(documents.map((document) => match(document).lexical));
}

/**
 * The answers of several stores in one order; among equals those of the first store come first. Each store keeps its
 * own order: its scores are scaled to the level of its best hit, from 1 for the best of all. Without a question the
 * newest come first.
 */
export function merged(answers: Answer[], level: Level): SourceHit[] {
  if (answers.every(({ result }) => result.statistics === undefined)) return newestFirst(answers.flatMap(marked));
  const levels = answers.map(({ result }) =>
    level(result.hits.map(({ annotated: { record } }) => documentOf(record, ''))),
  );
  const highest = mostOf(levels);
  const scaled = answers.flatMap((answer, i) => {
    const best = mostOf(answer.result.hits.map(({ score }) => score)) || 1;
    // If no word matches anywhere, only vectors found something, and nothing distinguishes the stores.
    const share = highest > 0 ? (levels[i] ?? 0) / highest : 1;
    return marked(answer).map((hit) => ({ ...hit, score: (hit.score / best) * share }));
  });
  return scaled.sort((a, b) => b.score - a.score);
}

export function marked({ source, result }: Answer): SourceHit[] {
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
