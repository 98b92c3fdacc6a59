import type { StoredRecord } from '../memory/store/store.ts';

/** A commit of HEAD's history that takes another one back, and that nothing took back since. */
export interface Revert {
  commit: string;
  subject: string;
  /** The commit that was taken back. */
  target: string;
}

/** A file that a commit which was taken back had left behind. */
export interface Work {
  path: string;
  blob: string;
  isNew: boolean;
}

/** The reverts in the history of one commit. Of one commit it is always the same, so it can be kept. */
export interface RevertHistory {
  commit: string;
  /** All of them, newest first, also those that were taken back themselves and those that bring something back. */
  reverts: Revert[];
  /** What the commits changed that the standing ones took back, by their ids. */
  work: Map<string, Work[]>;
}

/**
 * The reverts behind records that tell of what was taken back, by the records' ids: a record that came with a commit that
 * was reverted, or one whose work is in it, because a file that it says it modified has there the content of its anchor.
 * Work that is there again, as all cited files of a fresh record are, was not taken back for good.
 */
export function revertsBehind(
  { reverts, work }: RevertHistory,
  records: (Pick<StoredRecord, 'record' | 'entry'> & { freshness: string })[],
): Map<string, Revert> {
  const brought = new Map<string, Revert>();
  for (const revert of standing(reverts)) {
    for (const { path, blob, isNew } of work.get(revert.target) ?? []) {
      brought.set(`${blob} ${path}`, revert);
      if (isNew) brought.set(path, revert);
    }
  }
  const found = new Map<string, Revert>();
  for (const { record, entry, freshness } of records) {
    if (record.kind !== 'observation' && record.kind !== 'summary') continue;
    const anchors = record.kind === 'observation' ? record.anchors : {};
    const modified = record.kind === 'observation' && freshness !== 'fresh' ? record.files_modified : [];
    const own = entry.store === 'team' ? brought.get(`.memory/${entry.path}`) : undefined;
    const behind = modified.map((path) => brought.get(`${anchors[path]} ${path}`)).find((one) => one !== undefined);
    const revert = own ?? behind;
    if (revert !== undefined) found.set(record.id, revert);
  }
  return found;
}

/** Those that hold: nothing took them back since, and they are none that bring back what another took. */
export function standing(reverts: Revert[]): Revert[] {
  const commits = new Set(reverts.map(({ commit }) => commit));
  const undone = new Set<string>();
  // Newest first, so what takes a revert back comes before it.
  for (const { commit, target } of reverts) if (!undone.has(commit)) undone.add(target);
  return reverts.filter(({ commit, target }) => !undone.has(commit) && !commits.has(target));
}
