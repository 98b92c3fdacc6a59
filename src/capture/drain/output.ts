import { existsSync } from 'node:fs';
import { sessionStore } from '../../config.ts';
import { locate } from '../../git/locate.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { log } from '../../memory/store/log.ts';
import type { Store } from '../../memory/store/store.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { activeRedactions, type Redactions } from '../../provenance/redactions.ts';
import type { DrainOptions, DrainReport } from './drain-options.ts';
import { mustWait } from './must-wait.ts';

/** Writes a drain's records, except those that repeat redacted text. Each `root` is the worktree of a turn. */
export function createOutput(workspace: Workspace, options: DrainOptions, report: DrainReport) {
  const { checkout, env, stores, layout } = workspace;
  const redactions = new Map<string, Promise<Redactions>>();

  /** What redact marks keep out of that worktree's records; read once, because each mark is a file. */
  function redactionsAt(root: string): Promise<Redactions> {
    const known = redactions.get(root) ?? activeRedactions(placeOf(root).workspace);
    redactions.set(root, known);
    return known;
  }

  /** Tells whether a record repeats nothing that was redacted; one that does is counted and logged. */
  async function isFree(root: string, record: MemoryRecord): Promise<boolean> {
    const mark = (await redactionsAt(root)).against(record);
    if (mark === undefined) return true;
    report.redacted = (report.redacted ?? 0) + 1;
    const what = `${record.kind} ${record.id}`;
    log(layout.state, `${what} dropped: the mark ${mark} redacted what it says`, options.clock());
    return false;
  }

  /** The team store of that worktree; the private store when the worktree is gone, or by choice. */
  function placeOf(root: string): { store: Store; workspace: Workspace } {
    const destination = sessionStore(options.config);
    if (root === checkout.root) return { store: stores[destination], workspace };
    const other = existsSync(root) ? locate(root) : undefined;
    // The leftovers of a removed worktree may be inside another one.
    const isThere = other?.root === root && other.commonDir === checkout.commonDir;
    if (!isThere) return { store: stores.private, workspace };
    const there = workspaceOf(other, env);
    return { store: there.stores[destination], workspace: there };
  }

  return {
    redactionsAt,

    /** Writes a record into its worktree's store; false where a mark keeps it out. */
    async put(root: string, record: MemoryRecord): Promise<boolean> {
      if (!(await isFree(root, record))) return false;
      const waits = mustWait(workspace, record);
      const { path, created } = (waits ? stores.private : placeOf(root).store).put(record, { waits });
      if (created) report.written.push(record.id);
      if (created) options.onWritten?.(record.id, path);
      return true;
    },

    /** Writes a record into the private store, without a notice; false where a mark keeps it out. */
    async putPrivately(root: string, record: MemoryRecord): Promise<boolean> {
      if (!(await isFree(root, record))) return false;
      stores.private.put(record);
      return true;
    },
  };
}

export type Output = ReturnType<typeof createOutput>;
