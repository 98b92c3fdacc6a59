import type { Cache } from '../cache/cache.ts';
import type { Embedder } from '../cache/embed/embedder.ts';
import type { Field, IndexedDocument, MemoryIndex } from '../cache/memory-index.ts';
import { readLazily } from '../cache/read-lazily.ts';
import { isHidden } from '../memory/marks.ts';
import type { Trust } from '../provenance/trust.ts';
import type { StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Annotated, annotate } from './annotate.ts';
import { cardFilter } from './card-filter.ts';
import { confidences } from './confidence.ts';
import type { NeuralCoverage, QueryVector } from './fusion.ts';
import { parseQuery, plainQuery } from './query.ts';
import { type Meaning, meaningOf, questionVector } from './question-vector.ts';
import { rank } from './rank.ts';
import type { Filter } from './read.ts';
import { snippetOf } from './snippet.ts';
import { judge, type Placed, placesOf } from './standing.ts';

/** What the index alone can answer. */
export interface IndexHit {
  document: IndexedDocument;
  /** Comparable within one answer only; 0 where only the filter was asked. */
  score: number;
  /** How likely this bears on the question at all, 0 to 1; comparable between questions. */
  confidence: number;
  /** The field that matched most. */
  field?: Field;
}

export interface SearchHit extends Omit<IndexHit, 'document'> {
  annotated: Annotated;
  /** The sentence that answers best. */
  snippet: string;
}

export interface SearchRequest {
  text: string;
  filter?: Filter;
  limit: number;
  /** The text is no query but prose, such as a prompt: quotes and dashes mean nothing. */
  plain?: boolean;
  /** The optional model that is asked what the text means. */
  embedder?: Embedder | undefined;
}

export interface SearchResult {
  /** Only where a model was to be asked. */
  meaning?: Meaning;
  /** Records that answer, before the limit. */
  total: number;
  hits: SearchHit[];
  tookMs: number;
}

/** Records judged beyond the limit, for those that turn out to be hidden. */
const SPARE = 20;

/** Ranks what the index holds; without a word to look for, whatever passes the filter, newest first. */
export function searchIndex(
  index: MemoryIndex,
  request: Omit<SearchRequest, 'embedder'>,
  neural?: QueryVector,
): { total: number; hits: IndexHit[]; weights: Map<string, number>; coverage?: NeuralCoverage } {
  const accepts = cardFilter(request.filter ?? {});
  const query = request.plain ? plainQuery(request.text) : parseQuery(request.text);
  if (query.terms.size === 0) {
    // Only a question without text asks for everything; "???" asks for nothing that could be found.
    const all = request.text.trim() === '' ? [...index.newest()].filter(accepts) : [];
    const hits = distinct(all).map((document) => ({ document, score: 0, confidence: 1 }));
    return { total: hits.length, hits: hits.slice(0, request.limit), weights: new Map() };
  }
  const { ranked, weights, coverage } = rank(index, query, accepts, neural);
  const confidence = confidences(ranked, index.statistics([]).documents);
  const byId = new Set<string>();
  const hits = ranked.flatMap(({ document, score, field }, i) => {
    if (score <= 0 || byId.has(document.card.id)) return [];
    byId.add(document.card.id);
    return [{ document, score, confidence: confidence[i] ?? 0, ...(field && { field }) }];
  });
  return { total: hits.length, hits: hits.slice(0, request.limit), weights, ...(coverage && { coverage }) };
}

/** Searches both stores as they are now: syncs, ranks, leaves out what is hidden, and reads the hits from their files. */
export async function search(workspace: Workspace, cache: Cache, request: SearchRequest): Promise<SearchResult> {
  const start = performance.now();
  const { filter = {}, limit, embedder } = request;
  const isQuestion = parseQuery(request.text).terms.size > 0;
  const asked = embedder && isQuestion ? await questionVector(cache, embedder, request.text) : undefined;
  const neural = asked && 'vector' in asked ? asked : undefined;
  const found = await cache.query((index) => {
    const { hits, weights, coverage } = searchIndex(index, { ...request, limit: Number.POSITIVE_INFINITY }, neural);
    const byRow = new Map(hits.map((hit) => [hit.document.row, hit]));
    const places = placesOf(
      index,
      hits.slice(0, filter.trust ? undefined : limit + SPARE).map(({ document }) => document),
    );
    return { hits, weights, coverage, byRow, places, statements: placesOf(index, index.statements()) };
  });
  const standing = await judge(workspace, found.places, found.statements);
  const isShown = (id: string) => filter.all || !isHidden(standing.states.of(id));
  const shown = found.places.filter((placed) => {
    return isShown(placed.document.card.id) && (!filter.trust || standing.trust(placed) === filter.trust);
  });
  const stored = (await Promise.all(shown.slice(0, limit).map((placed) => readHit(workspace, placed)))).flat();
  const trust = new Map<StoredRecord, Trust>(standing.statements);
  const records = stored.map((one) => one.stored);
  const pool = new Map(stored.map((one) => [one.stored, one.placed]));
  const annotated = await annotate(workspace, records, trust);
  const hits = annotated.flatMap((one, i): SearchHit[] => {
    const placed = pool.get(records[i] as StoredRecord);
    const hit = placed && found.byRow.get(placed.document.row);
    if (placed === undefined || hit === undefined) return [];
    const { document: _, ...rest } = hit;
    const snippet = snippetOf(one.record, found.weights, hit.field);
    return [{ ...rest, annotated: { ...one, trust: standing.trust(placed) }, snippet }];
  });
  const total = filter.trust ? shown.length : found.hits.filter(({ document }) => isShown(document.card.id)).length;
  const meaning = embedder && asked && meaningOf(embedder.name, asked, found.coverage);
  return { total, hits, tookMs: performance.now() - start, ...(meaning && { meaning }) };
}

/** A judged record as its file has it; nothing when the file went away since the sync. */
export async function readHit(
  workspace: Workspace,
  placed: Placed,
): Promise<{ placed: Placed; stored: StoredRecord }[]> {
  try {
    return [{ placed, stored: await readLazily(workspace.stores[placed.entry.store], placed.entry) }];
  } catch {
    return []; // The next sync leaves it out too, and `git mem check` names what does not parse.
  }
}

function distinct(documents: IndexedDocument[]): IndexedDocument[] {
  const seen = new Set<string>();
  return documents.filter(({ card }) => !seen.has(card.id) && seen.add(card.id));
}
