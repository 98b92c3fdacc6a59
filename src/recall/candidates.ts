import { parseMarkSlug } from '../memory/file-name.ts';
import type { Kind } from '../memory/record.ts';
import { isTrusted, type Trust, trustOf } from '../provenance/trust.ts';
import { defaultBranch } from '../repo/locate.ts';
import { objectIds, runGit } from '../repo/objects.ts';
import { type Entry, readLedger, type Store, type StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Annotated, annotate } from './annotate.ts';
import type { Candidate } from './briefing.ts';

/** How many of the newest records a session start looks at: their number, not the store's, sets the cost of a start. */
const POOL = { observations: 60, summaries: 5 } as const;

/** A stranger's branch may bring any number of newer records: then more are looked at, up to this many pools. */
const WIDEST = 16;

/**
 * The newest records of both stores with their state, trust and freshness, and the files that the branch changes.
 * Reads folder listings and these records only; two git children, a third where a cited file is missing.
 */
export async function newestCandidates(
  workspace: Workspace,
): Promise<{ candidates: Candidate[]; changedFiles: Set<string> }> {
  const { checkout, env } = workspace;
  const branch = defaultBranch(checkout);
  // Asked first, so that git looks while the records are read.
  const changed = filesChanged(checkout.root, branch, env);
  const [{ pool, trust }, changedFiles] = await Promise.all([judgedPool(workspace, branch, 1), changed]);
  const annotated = await annotate(workspace, pool, trust);
  return { candidates: annotated.filter(isCandidate).map(named), changedFiles };
}

/** The records to choose from, with the trust of each and of every mark that speaks of them. */
async function judgedPool(
  workspace: Workspace,
  branch: string | undefined,
  width: number,
): Promise<{ pool: StoredRecord[]; trust: Map<StoredRecord, Trust> }> {
  const { checkout, env, ledger } = workspace;
  const stores = [workspace.stores.team, workspace.stores.private];
  const observations = newest(stores, 'observation', POOL.observations * width);
  const pool = [...observations, ...newest(stores, 'summary', POOL.summaries * width)];
  const ids = new Set(pool.map(({ record }) => record.id));
  const marks = marksOn(stores, ids);
  pool.push(...pinnedOutside(stores, marks, ids));

  const all = [...pool, ...marks];
  const own = readLedger(ledger);
  const trusts = await trustOf(all, { root: checkout.root, ledger: own, env, branch });
  const trust = new Map(all.map((one, i) => [one, trusts[i] ?? 'unreviewed']));
  const isFull = observations.length === POOL.observations * width;
  const trusted = observations.filter((one) => isTrusted(trust.get(one) ?? 'unreviewed')).length;
  if (!isFull || trusted >= POOL.observations / 2 || width >= WIDEST) return { pool, trust };
  const isWorthwhile = own.size > 0 || (await hasReviewed(workspace, branch));
  return isWorthwhile ? judgedPool(workspace, branch, width * 4) : { pool, trust };
}

/** Tells whether the default branch holds observations at all. */
async function hasReviewed({ checkout, env }: Workspace, branch: string | undefined): Promise<boolean> {
  if (branch === undefined) return false;
  const [tree] = (await objectIds(checkout.root, [`${branch}:.memory/observations`], env)) ?? [];
  return tree !== undefined;
}

/** Characters of an id that stay its own among a hundred thousand records: the pool is not the whole store. */
const SHORT_ID = 6;

function named(candidate: Candidate): Candidate {
  const { record, shortId } = candidate;
  return { ...candidate, shortId: record.id.slice(0, Math.max(shortId.length, SHORT_ID)) };
}

function isCandidate(annotated: Annotated): annotated is Candidate {
  return annotated.record.kind === 'observation' || annotated.record.kind === 'summary';
}

function newest(stores: Store[], kind: Kind, limit: number): StoredRecord[] {
  const found: StoredRecord[] = [];
  const queues = stores.map((store) => ({ store, entries: store.newest(kind) }));
  const heads = queues.map(({ store, entries }) => ({ store, entries, next: entries.next() }));
  while (found.length < limit) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (first === undefined || first.next.done || isLater(head.next.value, first.next.value)) first = head;
    }
    if (first === undefined || first.next.done) break;
    const stored = readable(first.store, first.next.value);
    if (stored !== undefined && !found.some(({ record }) => record.id === stored.record.id)) found.push(stored);
    first.next = first.entries.next();
  }
  return found;
}

function isLater(a: Entry, b: Entry): boolean {
  return a.time === b.time ? a.id > b.id : a.time > b.time;
}

/** Marks that speak of these records, of no listed record (pins), or of other marks; told by their file names. */
function marksOn(stores: Store[], ids: Set<string>): StoredRecord[] {
  const found: StoredRecord[] = [];
  for (const store of stores) {
    for (const entry of store.newest('mark')) {
      const about = parseMarkSlug(entry.slug);
      const matters =
        about === undefined || about.more || about.type === 'undo' || about.type === 'pin' || ids.has(about.target);
      const stored = matters ? readable(store, entry) : undefined;
      if (stored !== undefined) found.push(stored);
    }
  }
  return found;
}

function pinnedOutside(stores: Store[], marks: StoredRecord[], ids: Set<string>): StoredRecord[] {
  const pins = marks.flatMap(({ record }) => (record.kind === 'mark' && record.type === 'pin' ? record.targets : []));
  const wanted = new Set(pins.filter((id) => !ids.has(id)));
  const found: StoredRecord[] = [];
  for (const store of stores) {
    if (wanted.size === 0) break;
    for (const entry of store.newest('observation', 'summary')) {
      if (!wanted.delete(entry.id)) continue;
      const stored = readable(store, entry);
      if (stored !== undefined) found.push(stored);
    }
  }
  return found;
}

/** A file that does not parse is skipped here; `git mem check` reports it. */
function readable(store: Store, entry: Entry): StoredRecord | undefined {
  try {
    return store.read(entry);
  } catch {
    return undefined;
  }
}

async function filesChanged(root: string, branch: string | undefined, env: Workspace['env']): Promise<Set<string>> {
  if (branch === undefined) return new Set();
  // Working tree against where the branch left the default one: commits and uncommitted edits in one question.
  // Memory itself is left out, or git would look at every record's file.
  const question = ['diff', '--name-only', '--no-renames', '-z', '--merge-base', branch, '--', ':(top,exclude).memory'];
  const output = await runGit(root, question, env);
  return new Set((output ?? '').split('\0').filter(Boolean));
}
