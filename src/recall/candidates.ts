import { parseMarkSlug } from '../memory/file-name.ts';
import type { Kind } from '../memory/record.ts';
import { trustOf } from '../provenance/trust.ts';
import { defaultBranch } from '../repo/locate.ts';
import { runGit } from '../repo/objects.ts';
import { type Entry, readLedger, type Store, type StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Annotated, annotate } from './annotate.ts';
import type { Candidate } from './briefing.ts';

/** How many of the newest records a session start looks at: their number, not the store's, sets the cost of a start. */
const POOL = { observations: 60, summaries: 5 } as const;

/**
 * The newest records of both stores with their state, trust and freshness, and the files that the branch changes.
 * Reads folder listings and these records only; two git children at most.
 */
export async function newestCandidates(
  workspace: Workspace,
): Promise<{ candidates: Candidate[]; changedFiles: Set<string> }> {
  const { checkout, env, ledger } = workspace;
  const stores = [workspace.stores.team, workspace.stores.private];
  const pool = [...newest(stores, 'observation', POOL.observations), ...newest(stores, 'summary', POOL.summaries)];
  const ids = new Set(pool.map(({ record }) => record.id));
  const marks = marksOn(stores, ids);
  pool.push(...pinnedOutside(stores, marks, ids));

  const all = [...pool, ...marks];
  const branch = defaultBranch(checkout);
  const [trusts, changedFiles] = await Promise.all([
    trustOf(all, { root: checkout.root, ledger: readLedger(ledger), env, branch }),
    filesChanged(checkout.root, branch, env),
  ]);
  const annotated = await annotate(workspace, pool, new Map(all.map((one, i) => [one, trusts[i] ?? 'unreviewed'])));
  return { candidates: annotated.filter(isCandidate), changedFiles };
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
