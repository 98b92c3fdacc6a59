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

/** Writes every record of a drain, and none that repeats what was redacted. Each `root` is the worktree of a turn. */
export class Output {
  private readonly workspace: Workspace;
  private readonly options: DrainOptions;
  private readonly report: DrainReport;
  private readonly redactions = new Map<string, Promise<Redactions>>();

  constructor(workspace: Workspace, options: DrainOptions, report: DrainReport) {
    this.workspace = workspace;
    this.options = options;
    this.report = report;
  }

  /** What redact marks keep out there; read once, because each mark is a file. */
  redactionsAt(root: string): Promise<Redactions> {
    const known = this.redactions.get(root) ?? activeRedactions(this.placeOf(root).workspace);
    this.redactions.set(root, known);
    return known;
  }

  /** Writes a record into its worktree's store; false where a mark keeps it out. */
  async put(root: string, record: MemoryRecord): Promise<boolean> {
    if (!(await this.isFree(root, record))) return false;
    const waits = mustWait(this.workspace, record);
    const store = waits ? this.workspace.stores.private : this.placeOf(root).store;
    const { path, created } = store.put(record, { waits });
    if (created) this.report.written.push(record.id);
    if (created) this.options.onWritten?.(record.id, path);
    return true;
  }

  /** Writes a record into the private store, without a notice; false where a mark keeps it out. */
  async putPrivately(root: string, record: MemoryRecord): Promise<boolean> {
    if (!(await this.isFree(root, record))) return false;
    this.workspace.stores.private.put(record);
    return true;
  }

  /** Tells whether a record repeats nothing that was redacted; one that does is counted and logged. */
  private async isFree(root: string, record: MemoryRecord): Promise<boolean> {
    const mark = (await this.redactionsAt(root)).against(record);
    if (mark === undefined) return true;
    this.report.redacted = (this.report.redacted ?? 0) + 1;
    const what = `${record.kind} ${record.id}`;
    log(this.workspace.layout.state, `${what} dropped: the mark ${mark} redacted what it says`, this.options.clock());
    return false;
  }

  /** The team store of that worktree; the private store when the worktree is gone, or by choice. */
  private placeOf(root: string): { store: Store; workspace: Workspace } {
    const { checkout, env, stores } = this.workspace;
    const destination = sessionStore(this.options.config);
    if (root === checkout.root) return { store: stores[destination], workspace: this.workspace };
    const other = existsSync(root) ? locate(root) : undefined;
    // The leftovers of a removed worktree may be inside another one.
    const isThere = other?.root === root && other.commonDir === checkout.commonDir;
    if (!isThere) return { store: stores.private, workspace: this.workspace };
    const workspace = workspaceOf(other, env);
    return { store: workspace.stores[destination], workspace };
  }
}
