import type { Workspace } from '../../memory/store/workspace.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import type { IndexedDocument, MemoryIndex } from '../index/memory-index.ts';
import { isDamage } from '../index/open.ts';
import type { Filter } from '../query/card-filter.ts';
import { isWordless } from '../query/query.ts';
import { type IndexRequest, queryOf, searchIndex } from '../search/search-index.ts';
import { snippetIn } from '../search/snippet.ts';
import { forgetCommits, openCommits, type Reading, readCommits } from './commit-index.ts';

/** A commit of the current branch's history whose message answers. */
export interface CommitHit {
  kind: 'commit';
  /** Its full hash. */
  id: string;
  /** Its subject. */
  title: string;
  created: string;
  author: string;
  /** The sentence of its body that answers best. */
  snippet: string;
  files: string[];
}

/** What is searched: records, commits, or both. */
export const PARTS = ['memory', 'history', 'all'] as const;
export type Part = (typeof PARTS)[number];

/** Commits shown beside records. */
const BESIDE = 3;

/** Files named of a commit: some touch thousands. */
const MOST_FILES = 20;

/** Filters that only records have. */
const OF_RECORDS = ['kind', 'type', 'concept', 'branch', 'session', 'store', 'trust', 'freshness'] as const;

export interface CommitRequest extends Pick<IndexRequest, 'text' | 'now' | 'limit'> {
  filter?: Filter;
  in: Part;
}

/**
 * The commits that answer a question, best first: beside records at most three, whose bodies answer; in the history alone
 * subjects count too. None for a question about a past commit, or with a filter that only records have.
 */
export async function searchCommits(
  workspace: Workspace,
  request: CommitRequest,
  reading: Reading,
): Promise<{ total: number; hits: CommitHit[] }> {
  const none = { total: 0, hits: [] };
  const { filter = {}, in: part } = request;
  const isBeside = part === 'all';
  if (part === 'memory' || workspace.at !== undefined || OF_RECORDS.some((name) => filter[name] !== undefined))
    return none;
  if (isBeside && isWordless(queryOf(request))) return none;
  const index = await openCommits(workspace);
  if (index === undefined) return none;
  try {
    await readCommits(workspace, index, reading);
    const limit = isBeside ? BESIDE : request.limit;
    const found = searchIndex(reduced(index, isBeside), { ...request, limit: Number.POSITIVE_INFINITY });
    // Some may be hidden by a redaction.
    const whole = found.hits.slice(0, limit + BESIDE).flatMap(({ document }) => index.documents([document.row]));
    const hits = await told(workspace, whole, found.weights);
    const shown = hits.slice(0, limit);
    return { total: isBeside || hits.length <= limit ? shown.length : found.hits.length, hits: shown };
  } catch (error) {
    if (!isDamage(error)) throw error;
    forgetCommits(workspace);
    return none;
  } finally {
    index.close();
  }
}

/** The index with words alone; with `bodies` without subjects. */
function reduced(index: MemoryIndex, bodies: boolean): MemoryIndex {
  const only = (one: IndexedDocument) => (bodies ? { ...one, terms: one.terms.with(0, '') } : one);
  const nothing = { termVector: () => undefined, vector: () => undefined, citing: () => [], session: () => [] };
  const candidates: MemoryIndex['candidates'] = (weights, limit, accepts, required) =>
    index.candidates(weights, limit, (one) => accepts(only(one)), required).map(only);
  return { ...index, ...nothing, candidates };
}

/** The hits as they are told, without those that a redaction hides. */
async function told(
  workspace: Workspace,
  documents: IndexedDocument[],
  weights: ReadonlyMap<string, number>,
): Promise<CommitHit[]> {
  if (documents.length === 0) return [];
  const { isFree } = await activeRedactions(workspace);
  return documents.flatMap(({ card }): CommitHit[] => {
    const { id, title, created, files, commit = { author: '', sentences: [] } } = card;
    const { author, sentences } = commit;
    if (![title, ...sentences, sentences.join(' ')].every(isFree)) return [];
    const snippet = snippetIn(['', sentences.join('\n'), '', '', ''], weights);
    return [{ kind: 'commit', id, title, created, author, snippet, files: files.slice(0, MOST_FILES) }];
  });
}
