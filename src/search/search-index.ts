import { spell } from '../index/embed/local.ts';
import type {
  Field,
  IndexedDocument,
  MemoryIndex,
  RankedIndex,
  RecordIndex,
  Statistics,
} from '../index/memory-index.ts';
import { idInName, latestTime } from '../memory/file-name.ts';
import { startOf } from '../memory/id.ts';
import { cardFilter, type Filter } from '../records/card-filter.ts';
import { bare } from '../records/judgement.ts';
import { confidences, type NeuralCoverage, type QueryVector } from './fusion.ts';
import { spellingLikeness } from './nearest.ts';
import { parseQuery, plainQuery } from './parse-query.ts';
import { isAllowed, isNarrowing, isWordless, type Query, requiredTerms } from './query.ts';
import { rank, unheldPhrases } from './rank.ts';
import { RANKING } from './ranking.ts';
import { weighTerms } from './term-weights.ts';

/** With fewer hits, the nearest records are returned too: all hits may turn out to be hidden. */
const FEW_HITS = 20;

export interface IndexRequest {
  text: string;
  filter?: Filter;
  limit: number;
  /** How many records words find, from which the hits are chosen; defaults to the ranking's own number. */
  candidates?: number;
  /** The text is prose, such as a prompt, not a query: quotes and dashes have no meaning. */
  plain?: boolean;
  /** The reference for `yesterday`; defaults to the present. */
  now?: Date;
  without?: ReadonlySet<string>;
  withoutIds?: ReadonlySet<string>;
  /** The current name of a cited file that was renamed. */
  nowOf?: (path: string) => string | undefined;
}

export interface IndexHit {
  document: IndexedDocument;
  /** Comparable within one answer only; 0 if only the filter was asked for. */
  score: number;
  /** How likely it is relevant to the question at all, 0 to 1; comparable between questions. */
  confidence: number;
  /** The field that matched most. */
  field?: Field;
}

interface IndexAnswer {
  hits: IndexHit[];
  /** If there are few hits: the nearest records that do not answer, best first. For prose, all are hits. */
  nearest?: IndexHit[];
  weights: Map<string, number>;
  /** If nothing matches: the quoted phrases that no record contains. */
  unheld?: string[];
  statistics?: Statistics;
  coverage?: NeuralCoverage;
}

/**
 * Ranks the records in the index; without a word to look for, everything that passes the filter, newest first. Several
 * files may claim one id: all of them are among the hits, because only trust decides which is meant.
 */
export function searchIndex(
  index: RecordIndex & RankedIndex,
  request: IndexRequest,
  neural?: QueryVector,
): IndexAnswer {
  const { limit } = request;
  const query = queryOf(request);
  const accepts = acceptedBy(request, query);
  if (isWordless(query)) {
    // A question without text asks for everything, `-word` for everything else; "???" for nothing that could be found.
    const isListing = request.text.trim() === '' || isNarrowing(query);
    const hits: IndexHit[] = [];
    if (isListing)
      for (const document of listed(index, query, accepts))
        hits.push({ document: bare(document), score: 0, confidence: 1 });
    return { hits: hits.slice(0, limit), weights: new Map() };
  }
  const ranking = rank(index, query, accepts, { neural, candidates: request.candidates });
  const { ranked, weights, statistics, coverage } = ranking;
  const confidence = confidences(ranked, index.statistics([]).documents);
  const hits: IndexHit[] = [];
  const nearest: IndexHit[] = [];
  for (const [i, { document, score, field, isAnswer }] of ranked.entries()) {
    if (score <= 0) continue;
    const hit = { document, score, confidence: confidence[i] ?? 0, ...(field && { field }) };
    (isAnswer || request.plain ? hits : nearest).push(hit);
  }
  if (hits.length + nearest.length === 0 && !request.plain) nearest.push(...likelySpelt(index, query, accepts));
  const unheld = hits.length === 0 ? unheldPhrases(index, query, accepts) : [];
  const more = {
    ...(hits.length < FEW_HITS && { nearest: nearest.slice(0, FEW_HITS) }),
    ...(coverage && { coverage }),
    ...(unheld.length > 0 && { unheld }),
  };
  return { hits: hits.slice(0, limit), weights, statistics, ...more };
}

/** Ids of records of any kind that begin like these records' ids; for unreadable files, from the file names. */
export function idsNear(index: RecordIndex, documents: readonly IndexedDocument[]): string[] {
  const starts = new Set(documents.map(({ card }) => startOf(card.id)));
  const unread = index.unreadable().map(({ path }) => idInName(path));
  return [...[...starts].flatMap((start) => index.ids(start)), ...unread.filter((id) => starts.has(startOf(id)))];
}

/**
 * The documents that match a question by its words alone, roughly best first, at most `limit`; without words, the newest.
 * Takes a tenth of a search, and is enough to tell whether searching a store is worth it.
 */
export function bestByWords(
  index: RecordIndex & RankedIndex,
  request: IndexRequest,
): { documents: IndexedDocument[]; statistics?: Statistics } {
  const { limit } = request;
  const query = queryOf(request);
  const accepts = acceptedBy(request, query);
  if (!isWordless(query)) {
    const { weights, statistics } = weighTerms(index, query);
    const isFitting = isAllowed(query);
    const passes = (document: IndexedDocument) => accepts(document) && isFitting(document);
    return { documents: index.candidates(weights, limit, passes, requiredTerms(query)), statistics };
  }
  const documents: IndexedDocument[] = [];
  for (const document of listed(index, query, accepts)) if (documents.push(document) >= limit) break;
  return { documents };
}

/** The newest records, ordered by how much their spelling resembles a question that has no word in common with any. */
function likelySpelt(
  index: RecordIndex & RankedIndex,
  { terms }: Query,
  accepts: (document: IndexedDocument) => boolean,
): IndexHit[] {
  const spelling = spell([...terms.keys()], () => 1);
  const hits: IndexHit[] = [];
  for (const document of index.newest()) {
    if (hits.length === RANKING.candidates) break;
    if (!accepts(document)) continue;
    const score = spelling ? Math.max(0, spellingLikeness(index, document.row, spelling)) : 0;
    hits.push({ document: bare(document), score, confidence: 0 });
  }
  return hits.sort((a, b) => b.score - a.score);
}

export function queryOf({ text, plain, now = new Date() }: IndexRequest): Query {
  return plain ? plainQuery(text) : parseQuery(text, now);
}

function acceptedBy(
  { filter = {}, nowOf, without, withoutIds }: IndexRequest,
  query: Query,
): (document: IndexedDocument) => boolean {
  // Without words it is a list, which has no digests.
  const withDigests = !isWordless(query);
  const passes = cardFilter(filter, nowOf, withDigests ? { withDigests } : {});
  return (document) => passes(document) && !without?.has(document.blob) && !withoutIds?.has(document.card.id);
}

/** What a question without words asks for, newest first. */
function* listed(
  index: RecordIndex,
  query: Query,
  accepts: (document: IndexedDocument) => boolean,
): Generator<IndexedDocument> {
  const isFitting = isAllowed(query);
  for (const document of newestPast(index)) if (accepts(document) && isFitting(document)) yield document;
}

/** All documents, newest first; those dated in the future are not believed, and come last. */
export function* newestPast(index: RecordIndex, nowMs = Date.now()): Generator<IndexedDocument> {
  const latest = latestTime(nowMs);
  const future: IndexedDocument[] = [];
  for (const document of index.newest()) {
    if (document.card.created > latest) future.push(document);
    else yield document;
  }
  yield* future;
}

/** The index reduced to words: meaning, spelling and co-occurrence find more, but justify less. */
export function wordsOnly(index: MemoryIndex): MemoryIndex {
  const nothing = { termVector: () => undefined, vector: () => undefined, citing: () => [], session: () => [] };
  return { ...index, ...nothing };
}
