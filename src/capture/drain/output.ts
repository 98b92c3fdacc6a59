import { sessionStore } from '../../config.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { log } from '../../memory/store/log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Redactions } from '../../provenance/redactions.ts';
import type { DrainOptions, DrainReport } from './drain-options.ts';
import { RecordWriter } from './record-writer.ts';

/** Writes every record of a drain, and none that repeats what was redacted. */
export class Output {
  private readonly workspace: Workspace;
  private readonly options: Pick<DrainOptions, 'clock' | 'onWritten'>;
  private readonly report: DrainReport;
  private readonly writer: RecordWriter;

  constructor(workspace: Workspace, options: DrainOptions, report: DrainReport) {
    this.workspace = workspace;
    this.options = options;
    this.report = report;
    this.writer = new RecordWriter(workspace, sessionStore(options.config));
  }

  redactionsAt(root: string): Promise<Redactions> {
    return this.writer.redactionsAt(root);
  }

  /** Writes a record into its worktree's store; false where a mark keeps it out. */
  async put(root: string, record: MemoryRecord): Promise<boolean> {
    if (!(await this.isFree(root, record))) return false;
    const { path, created } = this.writer.put(root, record);
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
    const mark = (await this.writer.redactionsAt(root)).against(record);
    if (mark === undefined) return true;
    this.report.redacted = (this.report.redacted ?? 0) + 1;
    const what = `${record.kind} ${record.id}`;
    log(this.workspace.layout.state, `${what} dropped: the mark ${mark} redacted what it says`, this.options.clock());
    return false;
  }
}
