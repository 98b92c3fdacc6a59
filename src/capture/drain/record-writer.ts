import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { locate } from '../../git/locate.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import type { Store } from '../../memory/store/store.ts';
import { type Workspace, workspaceOf } from '../../memory/store/workspace.ts';
import { activeRedactions, type Redactions } from '../../provenance/redactions.ts';

/** Where the records of a drain go. Each `root` is the worktree where something happened. */
export class RecordWriter {
  private readonly workspace: Workspace;
  private readonly destination: Config['capture']['destination'];
  private readonly redactions = new Map<string, Promise<Redactions>>();

  constructor(workspace: Workspace, destination: Config['capture']['destination']) {
    this.workspace = workspace;
    this.destination = destination;
  }

  /** Writes a record unless it exists; `created` tells which. */
  put(root: string, record: MemoryRecord): { path: string; created: boolean } {
    return this.placeOf(root).store.put(record);
  }

  /** What redact marks keep out there; read once, because each mark is a file. */
  redactionsAt(root: string): Promise<Redactions> {
    const known = this.redactions.get(root) ?? activeRedactions(this.placeOf(root).workspace);
    this.redactions.set(root, known);
    return known;
  }

  /** The team store of that worktree; the private store when the worktree is gone, or by choice. */
  private placeOf(root: string): { store: Store; workspace: Workspace } {
    const { checkout, env, stores } = this.workspace;
    if (root === checkout.root) return { store: stores[this.destination], workspace: this.workspace };
    const other = existsSync(root) ? locate(root) : undefined;
    // The leftovers of a removed worktree may be inside another one.
    const isThere = other?.root === root && other.commonDir === checkout.commonDir;
    if (!isThere) return { store: stores.private, workspace: this.workspace };
    const workspace = workspaceOf(other, env);
    return { store: workspace.stores[this.destination], workspace };
  }
}
