import { PERSONAL } from '../../memory/store/personal.ts';
import type { Statistics } from '../../recall/index/memory-index.ts';
import { bestByWords } from '../../recall/search/best-by-words.ts';
import { type SearchRequest, type SearchResult, search } from '../../recall/search/search.ts';
import { type Answer, type Level, levelBy, marked, merged } from './merge.ts';
import type { Source, SourceHit } from './sources.ts';

/** Memories searched at once, each of which starts git up to three times. Of so few all are searched. */
const AT_ONCE = 8;

/** A memory that may have something for a question: searching it starts git and reads files. */
interface Prospect {
  source: Source;
  /** How good the best match is by its words alone. */
  level: number;
}

/**
 * Searches this repository's memory and the others, and merges the answers. Records that this repository has itself are
 * not taken from others, and it comes first among equals. Of others only what they commit is searched: what is private
 * there would end up in answers, and in records, of this repository. Of many, those whose records cannot be among the
 * best are not searched: `total` does not count what they have.
 */
export async function searchSources(
  own: Source,
  others: Source[],
  request: SearchRequest,
): Promise<Omit<SearchResult, 'hits'> & { hits: SourceHit[] }> {
  const start = process.uptime();
  const mine = { source: own, result: await search(own.workspace, own.cache, request) };
  if (others.length === 0 || request.filter?.store === 'private') return { ...mine.result, hits: marked(mine) };
  const { stores } = own.workspace;
  const withoutIds = new Set([...stores.team.ids(), ...stores.private.ids()]);
  // A model's vectors exist for this repository's records only.
  const { embedder: _, ...rest } = request;
  const plain = { ...rest, withoutIds, filter: { ...rest.filter, store: 'team' as const } };
  const { prospects, level } = await prospectsOf(others, plain, mine.result.statistics);
  // Each of the first ones has a hit as good as any that the rest have.
  const theirs = await answersOf(prospects.slice(0, Math.max(request.limit, AT_ONCE)), plain);
  const all = merged([mine, ...theirs], level);
  return { ...mine.result, ...bestOf(all, [mine, ...theirs], request), tookMs: (process.uptime() - start) * 1000 };
}

/**
 * Searches several memories, none of which comes before the others, for a person who may see all that each contains.
 * What is left out is as for `searchSources`.
 */
export async function searchTogether(
  sources: Source[],
  request: SearchRequest,
): Promise<Pick<SearchResult, 'total' | 'tookMs'> & { hits: SourceHit[] }> {
  const start = process.uptime();
  const { prospects, level } = await prospectsOf(sources, request);
  const answers = await answersOf(prospects.slice(0, Math.max(request.limit, AT_ONCE)), request);
  return { ...bestOf(merged(answers, level), answers, request), tookMs: (process.uptime() - start) * 1000 };
}

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

/**
 * The first hits, each record once: two clones of one repository have the same. What the user copied into the personal store
 * is shown where it came from.
 */
function bestOf(
  all: SourceHit[],
  answers: Answer[],
  { limit }: SearchRequest,
): Pick<SearchResult, 'total'> & { hits: SourceHit[] } {
  const seen = new Set<string>();
  const isPersonal = ({ source }: SourceHit) => source.origin === PERSONAL;
  const original = new Set(all.flatMap((hit) => (isPersonal(hit) ? [] : hit.annotated.record.id)));
  const isFirst = (hit: SourceHit) => {
    const { id } = hit.annotated.record;
    return !(isPersonal(hit) && original.has(id)) && !seen.has(id) && seen.add(id);
  };
  // Links to two commits of one repository are asked for.
  const hits = all.filter((hit) => isFirst(hit) || hit.source.workspace.linked);
  const matches = answers.reduce((sum, { result }) => sum + result.total, 0);
  return { total: matches - (all.length - hits.length), hits: hits.slice(0, limit) };
}

/** The memories that may have something for a question, the most promising first. */
async function prospectsOf(
  sources: Source[],
  request: SearchRequest,
  own?: Statistics,
): Promise<{ prospects: Prospect[]; level: Level }> {
  const all = [];
  for (const source of sources) {
    all.push({ source, ...(await source.cache.query((index) => bestByWords(index, request))) });
  }
  // Those without the words count: they make them rare.
  const level = levelBy(
    [own, ...all.map(({ statistics }) => statistics)].filter((one) => one !== undefined),
    request,
  );
  const isFew = sources.length <= AT_ONCE;
  const prospects = all
    .map(({ source, documents }): Prospect => ({ source, level: level(documents) }))
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
