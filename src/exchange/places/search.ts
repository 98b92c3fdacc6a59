import { documentOf } from '../../index/document.ts';
import type { IndexDocument, Statistics } from '../../index/memory-index.ts';
import { PERSONAL } from '../../memory/store/personal.ts';
import { parseQuery } from '../../search/parse-query.ts';
import { isWordless } from '../../search/query.ts';
import { type SearchRequest, type SearchResult, search } from '../../search/search.ts';
import { bestByWords } from '../../search/search-index.ts';
import { bm25f, termWeights } from '../../search/term-weights.ts';
import type { Source, SourceHit } from './reader.ts';

/** Memories searched at once: each starts git up to three times, so 24 processes. Up to this many, all are searched. */
const AT_ONCE = 8;

interface SourceHits {
  hits: SourceHit[];
  nearest?: SourceHit;
}

/**
 * Searches this repository's memory and the others, and merges the answers. Records that this repository has itself are not taken
 * from others, and its own come first among equals. Of the others only committed records are searched, or private ones would end
 * up in this repository's answers and records. If there are many, those whose records cannot be among the best are not searched,
 * and `total` does not count theirs.
 */
export async function searchSources(
  own: Source,
  others: Source[],
  request: SearchRequest,
): Promise<Omit<SearchResult, 'hits' | 'nearest'> & SourceHits> {
  const start = process.uptime();
  const mine = { source: own, result: await search(own.workspace, own.cache, request) };
  const { nearest: _nearest, isEmpty, ...about } = mine.result;
  if (others.length === 0 || request.filter?.store === 'private')
    return { ...about, ...(isEmpty && { isEmpty }), hits: marked(mine), ...nearestOf([mine]) };
  const { stores } = own.workspace;
  const withoutIds = new Set([...stores.team.ids(), ...stores.private.ids()]);
  // A model's vectors exist for this repository's records only.
  const { embedder: _embedder, ...rest } = request;
  const plain = { ...rest, withoutIds, filter: { ...rest.filter, store: 'team' as const } };
  const { prospects, level } = await prospectsOf(others, plain, mine.result.statistics);
  // Each of the first ones has a hit as good as any that the rest have.
  const theirs = await answersOf(prospects.slice(0, Math.max(request.limit, AT_ONCE)), plain);
  const all = merged([mine, ...theirs], level);
  return { ...about, ...bestOf(all, [mine, ...theirs], request), tookMs: (process.uptime() - start) * 1000 };
}

/** Searches several memories, all of equal rank, for a person who may see everything in them. */
export async function searchTogether(
  sources: Source[],
  request: SearchRequest,
): Promise<Pick<SearchResult, 'total' | 'tookMs'> & SourceHits> {
  const start = process.uptime();
  const { prospects, level } = await prospectsOf(sources, request);
  const answers = await answersOf(prospects.slice(0, Math.max(request.limit, AT_ONCE)), request);
  return { ...bestOf(merged(answers, level), answers, request), tookMs: (process.uptime() - start) * 1000 };
}

/** Each record once: clones have the same ones, and one that is also in the personal store is shown where it came from. */
function bestOf(all: SourceHit[], answers: Answer[], { limit }: SearchRequest) {
  const seen = new Set<string>();
  const isPersonal = ({ source }: SourceHit) => source.origin === PERSONAL;
  const original = new Set(all.flatMap((hit) => (isPersonal(hit) ? [] : hit.annotated.record.id)));
  const isFirst = (hit: SourceHit) => {
    const { id } = hit.annotated.record;
    return !(isPersonal(hit) && original.has(id)) && !seen.has(id) && seen.add(id);
  };
  const hits = all.filter(isFirst);
  const matches = answers.reduce((sum, { result }) => sum + result.total, 0);
  return { total: matches - (all.length - hits.length), hits: hits.slice(0, limit), ...nearestOf(answers) };
}

/** The nearest record of the first memory that has one, if none has a hit. */
function nearestOf(answers: Answer[]): Pick<SourceHits, 'nearest'> {
  if (answers.some(({ result }) => result.hits.length > 0)) return {};
  const [nearest] = answers.flatMap(({ source, result: { nearest } }) => (nearest ? { ...nearest, source } : []));
  return nearest ? { nearest } : {};
}

/**
 * The memories that may answer a question, by their best match on words alone, best first: searching one starts git
 * and reads files.
 */
async function prospectsOf(sources: Source[], request: SearchRequest, own?: Statistics) {
  const all = [];
  for (const source of sources) {
    all.push({ source, ...(await source.cache.query((index) => bestByWords(index, request))) });
  }
  // Stores without the words count too: they make the words rare.
  const statistics = [own, ...all.map((one) => one.statistics)].filter((one) => one !== undefined);
  const level = levelBy(statistics, request);
  const isFew = sources.length <= AT_ONCE;
  const prospects = all
    .map(({ source, documents }) => ({ source, level: level(documents) }))
    .filter((one) => isFew || one.level > 0)
    .sort((a, b) => b.level - a.level);
  return { prospects, level };
}

/** Asks memories, each with its judgement; a few at once. */
async function answersOf(sources: Pick<Answer, 'source'>[], request: SearchRequest): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    const some = sources.slice(at, at + AT_ONCE).map(async ({ source }) => {
      const judged = await source.judged?.();
      const asked = judged === undefined ? request : { ...request, judged };
      return { source, result: await search(source.workspace, source.cache, asked) };
    });
    answers.push(...(await Promise.all(some)));
  }
  return answers;
}

interface Answer {
  source: Source;
  result: SearchResult;
}

/** How good the best of some documents of one store is, comparable between stores. */
type Level = (documents: readonly IndexDocument[]) => number;

/** By the statistics of all stores together: a score compares only hits of one store. Without words, by time. */
function levelBy(all: Statistics[], { text, now }: Pick<SearchRequest, 'text' | 'now'>): Level {
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
function merged(answers: Answer[], level: Level): SourceHit[] {
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
