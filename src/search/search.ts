import type { Cache } from '../index/cache.ts';
import { textsOf } from '../index/document.ts';
import type { Embedder } from '../index/embed/embedder.ts';
import type { IndexedDocument, MemoryIndex, Statistics } from '../index/memory-index.ts';
import type { Glance } from '../index/sync-folders.ts';
import { tokenize } from '../index/tokens.ts';
import { isHidden } from '../memory/marks.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { decodeTurns, isSessionDigest } from '../memory/session-digest.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { followingRenames } from '../provenance/renamed-files.ts';
import { isTrusted } from '../provenance/trust.ts';
import type { Annotated } from '../records/annotate.ts';
import { judge, type Placed, placesOf, statementsOn, type VersionedJudgement } from '../records/judgement.ts';
import { readJudged, withFreshness } from '../records/read-judged.ts';
import type { QueryVector } from './fusion.ts';
import { isWordless } from './query.ts';
import { type Meaning, meaningOf, questionVector } from './question-vector.ts';
import { STALE } from './ranking.ts';
import { type IndexHit, type IndexRequest, idsNear, queryOf, searchIndex } from './search-index.ts';
import { snippetIn } from './snippet.ts';

export interface SearchHit extends Omit<IndexHit, 'document'> {
  annotated: Annotated;
  /** The sentence that answers best. */
  snippet: string;
}

export interface SearchRequest extends IndexRequest {
  embedder?: Embedder | undefined;
  /** The caller's judgement of all records; used while the index is at its version. */
  judged?: VersionedJudgement;
}

export interface SearchResult {
  /** Only if a model was to be asked. */
  meaning?: Meaning;
  /** Number of matching records, before the limit. */
  total: number;
  hits: SearchHit[];
  /** Ids of records of any kind that begin like the hits' ids. */
  near: string[];
  /** If nothing matches: the nearest record. */
  nearest?: SearchHit;
  /** Nothing matches because there are no records. */
  isEmpty?: true;
  tookMs: number;
  /** If nothing matches: the quoted phrases that no record contains. */
  unheld?: string[];
  /** The store's statistics for the question's terms, used to compare answers of different stores. */
  statistics?: Statistics;
}

/** Extra records judged beyond the limit, to replace hidden ones; if more are hidden, the answer is shorter. */
const SPARE = 20;

/**
 * Searches the current state of both stores: syncs, ranks, drops hidden records, and reads the hits from their files. If all
 * files of a large store were checked recently, only its folders are, and all files again if a hit was edited in place.
 */
export async function search(workspace: Workspace, cache: Cache, request: SearchRequest): Promise<SearchResult> {
  const start = process.uptime();
  const { embedder } = request;
  const asked =
    embedder && !isWordless(queryOf(request)) ? await questionVector(cache, embedder, request.text) : undefined;
  const neural = asked && 'vector' in asked ? asked : undefined;
  const look = (glance?: Glance) => lookUp(workspace, cache, { request, neural, glance });
  const seen = await look('lately');
  const { coverage, isCurrent: _, ...result } = seen.isCurrent ? seen : await look();
  const meaning = embedder && asked && meaningOf(embedder.name, asked, coverage);
  return { ...result, tookMs: (process.uptime() - start) * 1000, ...(meaning && { meaning }) };
}

/** Maximum unreviewed records shown after trusted ones. */
const MOST_STRANGE = 3;

/** How often to search again without the unreviewed records that crowded out others, and by how much to widen each time. */
const MOST_ROUNDS = 4;
const WIDER = 4;

interface LookUp {
  request: SearchRequest;
  neural: QueryVector | undefined;
  glance: Glance | undefined;
  round?: number;
}

interface Found extends Omit<SearchResult, 'meaning' | 'tookMs'> {
  coverage: ReturnType<typeof searchIndex>['coverage'];
  isCurrent: boolean;
}

/**
 * What a search finds, and whether the files of all hits match the index. Trusted records come first: a branch may add any
 * number of others that match better.
 */
async function lookUp(
  workspace: Workspace,
  cache: Cache,
  { request, neural, glance, round = 0 }: LookUp,
): Promise<Found> {
  const { filter = {}, limit } = request;
  const ask = (nowOf: SearchRequest['nowOf']) => (index: MemoryIndex) => {
    const all = { ...request, limit: Number.POSITIVE_INFINITY, ...(nowOf && { nowOf }) };
    const answer = searchIndex(index, all, neural);
    const { nearest = [] } = answer;
    const found = [...answer.hits, ...nearest];
    const documents = found.map(({ document }) => document);
    const byRow = new Map(found.map((hit) => [hit.document.row, hit]));
    const isNearest = new Set(nearest.map(({ document }) => document.row));
    const known = request.judged?.version === index.version() ? request.judged.judgement : undefined;
    const judged = filter.trust || filter.freshness ? documents : first(found, (limit + SPARE) * WIDER ** round);
    const places = placesOf(index, judged);
    const statements = known === undefined ? statementsOn(index, documents) : [];
    const near = idsNear(index, judged);
    return { ...answer, byRow, isNearest, places, statements, known, near, isEmpty: index.size() === 0 };
  };
  const found = await followingRenames(workspace, filter, (nowOf) => cache.query(ask(nowOf), { glance }));
  const judgement = found.known ?? (await judge(workspace, found.places, found.statements));
  const isShown = (id: string) => filter.all || !isHidden(judgement.states.of(id));
  const admitted = judgement.distinct(found.places).filter((placed) => judgement.admits(placed, filter));
  const isNear = (placed: Placed) => found.isNearest.has(placed.document.row);
  const fresh = await withFreshness(workspace, admitted, filter.freshness);
  // An edited record is shown as it was reviewed.
  const isKnown = (placed: Placed) => filter.trust !== undefined || judgement.trust(placed) !== 'unreviewed';
  const strange = fresh.filter((placed) => !isKnown(placed));
  const shown = [...fresh.filter(isKnown), ...strange].filter((placed) => !isNear(placed));
  const scoreOf = (placed: Placed) => found.byRow.get(placed.document.row)?.score ?? 0;
  const isNone = shown.length === 0;
  const wanted = isNone ? fresh.slice(0, 1) : shown.slice(0, withinReach(shown.map(scoreOf), limit));
  const read = await readJudged(workspace, cache, wanted, judgement);
  const hits = read.flatMap(({ placed, annotated }): SearchHit[] => {
    const hit = found.byRow.get(placed.document.row);
    if (hit === undefined || (annotated.state.redacted && !filter.all)) return [];
    const { document, ...rest } = hit;
    const said = shareLeft(annotated, document, found.weights);
    if (said === 0) return [];
    const snippet = isRevised(annotated.record) ? '' : snippetIn(textsOf(annotated.record), found.weights, hit.field);
    const score = rest.score * said * (STALE[annotated.freshness] ?? 1);
    return [{ ...rest, score, annotated, snippet }];
  });
  const ids = new Set(found.hits.map(({ document }) => document.card.id).filter(isShown));
  const total = filter.trust || filter.freshness ? shown.length : ids.size;
  hits.sort((a, b) => b.score - a.score);
  const trusted = hits.filter(({ annotated }) => filter.trust !== undefined || annotated.trust !== 'unreviewed');
  const others = hits.filter((hit) => !trusted.includes(hit));
  if (!isNone && trusted.length < limit && strange.length > MOST_STRANGE && round < MOST_ROUNDS) {
    const without = new Set([...(request.without ?? []), ...strange.map(({ document }) => document.blob)]);
    const further = await lookUp(workspace, cache, {
      request: { ...request, without },
      neural,
      glance,
      round: round + 1,
    });
    const known = further.hits.filter(({ annotated }) => isTrusted(annotated.trust));
    const all = [...known, ...others.slice(0, MOST_STRANGE)].slice(0, limit);
    if (known.length > 0) return { ...further, total, near: [...found.near, ...further.near], hits: all };
  }
  const best = [...trusted, ...others.slice(0, trusted.length > 0 ? MOST_STRANGE : limit)].slice(0, limit);
  const { statistics, unheld, coverage, near } = found;
  const [nearest] = best;
  const more = {
    ...(statistics && { statistics }),
    ...(unheld && { unheld }),
    ...(isNone && nearest && { nearest }),
    ...(found.isEmpty && { isEmpty: true as const }),
  };
  return { total, hits: isNone ? [] : best, coverage, near, isCurrent: read.length === wanted.length, ...more };
}

/** The share of what a summary was found by that is left in it without what hidden records said: 1 is all. */
function shareLeft({ record }: Annotated, document: IndexedDocument, weights: ReadonlyMap<string, number>): number {
  if (record.kind !== 'summary' || weights.size === 0) return 1;
  const weigh = (tokens: Iterable<string>) =>
    [...new Set(tokens)].reduce((sum, token) => sum + (weights.get(token) ?? 0), 0);
  const whole = weigh(document.terms.join(' ').split(' '));
  return whole === 0 ? 1 : weigh(textsOf(record).flatMap(tokenize)) / whole;
}

/** The documents of the first ids, and all others that claim one of these ids. */
function first(hits: IndexHit[], count: number): IndexedDocument[] {
  const ids = new Set<string>();
  for (const { document } of hits) {
    if (ids.size >= count) break;
    ids.add(document.card.id);
  }
  return hits.flatMap(({ document }) => (ids.has(document.card.id) ? [document] : []));
}

/** How many of the best to read: beyond the limit, those that could move up when stale ones move down. */
function withinReach(scores: number[], limit: number): number {
  const last = scores[limit - 1];
  if (last === undefined || last === 0) return limit;
  let reach = limit;
  while (reach < limit * 2 && (scores[reach] ?? 0) > last * Math.min(...Object.values(STALE))) reach++;
  return reach;
}

/** Tells whether a record is a session's digest of several turns: a later turn may have taken back what an earlier one says. */
function isRevised(record: MemoryRecord): boolean {
  return isSessionDigest(record) && decodeTurns(record.request).length > 1;
}
