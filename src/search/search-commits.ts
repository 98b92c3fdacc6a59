import { existsSync } from 'node:fs';
import { readHead } from '../git/locate.ts';
import { askGit, parseRawLog, RAW_LOG, type RawCommit } from '../git/objects.ts';
import type { Card, Changes, IndexedDocument, MemoryIndex } from '../index/memory-index.ts';
import { cachePath, deleteCache, isDamage, openIndex } from '../index/open.ts';
import { tokenize } from '../index/tokens.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { sentencesOf } from '../provenance/commit-message.ts';
import { activeRedactions } from '../provenance/redactions.ts';
import type { Filter } from '../records/card-filter.ts';
import { isWordless } from './query.ts';
import { type IndexRequest, queryOf, searchIndex, wordsOnly } from './search-index.ts';
import { snippetIn } from './snippet.ts';

/** A commit of the current branch's history whose message answers the question. */
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

/** A single name as code writes it: `ini_parse_env`, `parseClaims`, `retry()`. */
const CODE_NAME = /^(?=\S*(?:_|\(\)$|[a-z][A-Z]))[\w.]+(?:\(\))?$/u;

/** Commits shown beside records. */
const BESIDE = 3;

/** Files named per commit: some touch thousands. */
const MOST_FILES = 20;

const OF_RECORDS = ['kind', 'type', 'concept', 'branch', 'session', 'store', 'trust', 'freshness'] as const;

export interface CommitRequest extends Pick<IndexRequest, 'text' | 'now' | 'limit'> {
  filter?: Filter;
  in: Part;
}

/**
 * The commits that answer a question, best first. Beside records, at most three whose bodies answer, or whose subjects have
 * the name of code that is asked for; in the history alone, subjects always count. None for a question about a past
 * commit, or with a filter that only records have.
 */
export async function searchCommits(
  workspace: Workspace,
  request: CommitRequest,
  reading: Reading,
): Promise<{ total: number; hits: CommitHit[]; isUnread?: true }> {
  const none = { total: 0, hits: [] };
  const { filter = {}, in: part } = request;
  const isBeside = part === 'all';
  if (part === 'memory' || workspace.at !== undefined || OF_RECORDS.some((name) => filter[name] !== undefined))
    return none;
  if (isBeside && isWordless(queryOf(request))) return none;
  const answer = await withCommits(workspace, async (index) => {
    const most = isBeside ? FEW : undefined;
    if (!(await readCommits(workspace, index, { ...reading, most }))) return undefined;
    const limit = isBeside ? BESIDE : request.limit;
    const bodies = isBeside && !CODE_NAME.test(request.text.trim());
    const found = searchIndex(reduced(index, bodies), { ...request, limit: Number.POSITIVE_INFINITY });
    // Some may be hidden by a redaction.
    const whole = found.hits.slice(0, limit + BESIDE).flatMap(({ document }) => index.documents([document.row]));
    const hits = await told(workspace, whole, found.weights);
    const shown = hits.slice(0, limit);
    return { total: isBeside || hits.length <= limit ? shown.length : found.hits.length, hits: shown };
  });
  return answer ?? { ...none, isUnread: true };
}

/** The index reduced to words; with `bodies`, also without subjects. */
function reduced(index: MemoryIndex, bodies: boolean): MemoryIndex {
  const only = (one: IndexedDocument) => (bodies ? { ...one, terms: one.terms.with(0, '') } : one);
  const candidates: MemoryIndex['candidates'] = (weights, limit, accepts, required) =>
    index.candidates(weights, limit, (one) => accepts(only(one)), required).map(only);
  return { ...wordsOnly(index), candidates };
}

/** The hits as shown, without those that a redaction hides. */
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

/** Maximum new commits that a search of records reads first; the background, or a search of the history, reads more. */
const FEW = 2000;

const MOST = 20_000;

/** Commits written at once: nothing else runs meanwhile. */
const BATCH = 500;

/** Texts cleaned at once, and what separates them. */
const TOGETHER = 25;
const PART = '\n\n\u0001\n\n';

type Clean = (text: string) => Promise<string>;

/** What reading the history needs; asked for only if there is something to read. */
interface Reading {
  /** Provides the function that removes private text and secrets. */
  cleaner: () => Promise<{ text: Clean }>;
  onProgress?: ((done: number) => void) | undefined;
  /** Reads nothing if there are more new commits than this. */
  most?: number | undefined;
}

/** Updates the index of the history in the background, if it was ever searched. */
export async function refreshCommits(workspace: Workspace, reading: Reading): Promise<void> {
  if (!existsSync(cachePath(workspace, 'history'))) return;
  await withCommits(workspace, (index) => readCommits(workspace, index, reading));
}

/**
 * Uses the index of commits in HEAD's history, in its own file beside the cache, so that searching records never reads it.
 * Undefined if it was damaged, in which case the next question makes another, or if SQLite does not load or its folder
 * cannot be written: reading the history again for each question would take too long.
 */
async function withCommits<T>(workspace: Workspace, use: (index: MemoryIndex) => Promise<T>): Promise<T | undefined> {
  const { index, persistent } = await openIndex(workspace, { file: 'history' });
  try {
    return persistent ? await use(index) : undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    deleteCache(workspace, 'history');
    return undefined;
  } finally {
    index.close();
  }
}

/**
 * Brings the index up to HEAD with one `git log` of what differs from the previous HEAD, on either side; does nothing if
 * HEAD is the same. A history cut off or rewritten beyond that is read from scratch. False if there is more than may be read.
 */
async function readCommits(workspace: Workspace, index: MemoryIndex, reading: Reading): Promise<boolean> {
  const { checkout } = workspace;
  const key = `head ${checkout.root}`;
  const head = readHead(checkout).commit;
  const before = index.meta(key);
  if (head === undefined || head === before) return true;
  const { most } = reading;
  if (most !== undefined) {
    const countOf = (range: string) =>
      askGit(workspace, ['rev-list', '--count', `--max-count=${most + 1}`, range, '--']);
    // The previous HEAD may be gone.
    const count = (before && (await countOf(`${before}...${head}`))) || (await countOf(head));
    if (Number(count ?? 0) > most) return false;
  }
  const drop = (ids: Iterable<string>) => {
    const gone = [...ids].map((path) => ({ store: 'team' as const, path }));
    if (gone.length > 0) index.apply({ seen: [], gone, documents: [], folders: [] });
  };
  const isNext = before !== undefined && (await readRange(workspace, index, `${before}...${head}`, reading));
  if (!isNext) {
    // The first time, or the previous HEAD is gone: after a clean-up, or in a clone made shallower.
    drop(index.files('team').keys());
    if (!(await readRange(workspace, index, head, reading))) return true;
  }
  if (index.size() > MOST) drop([...index.newest()].slice(MOST).map(({ blob }) => blob));
  index.settle();
  index.setMeta(key, head);
  return true;
}

const FORMAT = '%m%x01%H%x01%at%x01%an%x01%s%x01%b';

/** False if git knows no such range. */
async function readRange(
  workspace: Workspace,
  index: MemoryIndex,
  range: string,
  { cleaner, onProgress }: Reading,
): Promise<boolean> {
  const args = ['log', ...RAW_LOG, '--no-renames', `--max-count=${MOST}`, `--format=${FORMAT}`, range, '--'];
  const output = await askGit(workspace, args);
  if (output === undefined) return false;
  const commits = parseRawLog(output);
  const { text: clean } = await cleaner();
  for (let at = 0; at < commits.length; at += BATCH) {
    await write(commits.slice(at, at + BATCH), index, clean);
    if (commits.length > BATCH) onProgress?.(at);
  }
  return true;
}

/** Adds commits, without secrets, and removes those that HEAD no longer has. */
async function write(read: RawCommit[], index: MemoryIndex, clean: Clean): Promise<void> {
  const changes: Changes = { seen: [], gone: [], documents: [], folders: [] };
  const commits = read.map(({ head, changes: files }) => ({ ...partsOf(head), files }));
  const kept = commits.filter(({ side, blob }) => side !== '<' && blob !== '');
  const texts = await cleanTogether(
    kept.map(({ author, subject, body }) => [author, subject, ...sentencesOf(body)].join('\n')),
    clean,
  );
  for (const { side, blob } of commits) if (side === '<') changes.gone.push({ store: 'team', path: blob });
  for (const [i, { blob, created, files }] of kept.entries()) {
    const [author = '', title = '', ...sentences] = (texts[i] ?? '').split('\n');
    const terms = [title, sentences.join('\n'), '', '', ''].map((text) => tokenize(text).join(' '));
    const cited = { files: files.map(({ path }) => path), modified: files.length, concepts: [], supersedes: [] };
    const commit = { author, sentences };
    const card: Card = { id: blob, kind: 'observation', type: 'commit', title, created, ...cited, commit };
    changes.documents.push({ blob, terms, card });
    changes.seen.push({ store: 'team', path: blob, blob, size: 0, modifiedMs: 0, changedMs: 0 });
  }
  index.apply(changes);
}

function partsOf(head: string) {
  const [side, blob = '', seconds, author = '', subject = '', ...body] = head.split('\u0001');
  const created = `${new Date(Number(seconds ?? 0) * 1000).toISOString().slice(0, 19)}Z`;
  return { side, blob, created, author, subject, body: body.join(' ') };
}

/** Cleans many texts at once, because each call costs more than its text; one by one if that removed a separator. */
async function cleanTogether(texts: string[], clean: Clean): Promise<string[]> {
  const cleaned: string[] = [];
  for (let at = 0; at < texts.length; at += TOGETHER) {
    const some = texts.slice(at, at + TOGETHER);
    const parts = (await clean(some.join(PART))).split(PART);
    if (parts.length === some.length) cleaned.push(...parts);
    else for (const text of some) cleaned.push(await clean(text));
  }
  return cleaned;
}
