import { isContent } from '../memory/record.ts';
import type { StoredRecord } from '../memory/store/store.ts';

/** A commit in HEAD's history that reverts another one, and that was not reverted itself. */
export interface Revert {
  commit: string;
  subject: string;
  /** The reverted commit. */
  target: string;
}

/** A file as a reverted commit left it. */
export interface Work {
  path: string;
  blob: string;
  isNew: boolean;
}

/** The reverts in the history of one commit. They never change for a commit, so they can be cached. */
export interface RevertHistory {
  commit: string;
  /** All of them, newest first, including reverted reverts and those that restore something. */
  reverts: Revert[];
  /** What the commits changed that effective reverts reverted, by commit id. */
  work: Map<string, Work[]>;
}

/**
 * The reverts behind records about reverted work, by the records' ids: a record that came with a reverted commit, or
 * one whose work is in it, because a file that it says it modified has the content of its anchor there. Work that is
 * back, as all cited files of a fresh record are, was not reverted for good.
 */
export function revertsBehind(
  { reverts, work }: RevertHistory,
  records: (Pick<StoredRecord, 'record' | 'entry'> & { freshness: string })[],
): Map<string, Revert> {
  const brought = new Map<string, Revert>();
  for (const revert of effective(reverts)) {
    for (const { path, blob, isNew } of work.get(revert.target) ?? []) {
      brought.set(`${blob} ${path}`, revert);
      if (isNew) brought.set(path, revert);
    }
  }
  const found = new Map<string, Revert>();
  for (const { record, entry, freshness } of records) {
    if (!isContent(record)) continue;
    const anchors = record.kind === 'observation' ? record.anchors : {};
    const modified = record.kind === 'observation' && freshness !== 'fresh' ? record.files_modified : [];
    const own = entry.store === 'team' ? brought.get(`.memory/${entry.path}`) : undefined;
    const behind = modified.map((path) => brought.get(`${anchors[path]} ${path}`)).find((one) => one !== undefined);
    const revert = own ?? behind;
    if (revert !== undefined) found.set(record.id, revert);
  }
  return found;
}

/** The effective reverts: not reverted since, and not themselves the revert of a revert. */
export function effective(reverts: Revert[]): Revert[] {
  const commits = new Set(reverts.map(({ commit }) => commit));
  const undone = new Set<string>();
  // Newest first, so the revert of a revert comes before it.
  for (const { commit, target } of reverts) if (!undone.has(commit)) undone.add(target);
  return reverts.filter(({ commit, target }) => !undone.has(commit) && !commits.has(target));
}
