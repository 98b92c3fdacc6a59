import { createCleaner } from '../../capture/drain/clean.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../memory/size.ts';
import { readable } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { withTrust } from '../../provenance/trust.ts';
import { untrackedFiles } from '../../provenance/untracked.ts';

/** A record's file that git does not track yet. */
export interface OwnFile {
  /** Relative to the top of the checkout. */
  path: string;
  blob: string;
  record: MemoryRecord;
}

/**
 * The records that git-mem may commit by itself: not in the index (what somebody staged is theirs to commit), not
 * ignored, as this clone or a person in it wrote them, readable, and free of secrets by the current rules. `patterns` are
 * the team's `privacy.redact`, `untracked` the files to look at.
 */
export async function ownNewFiles(
  workspace: Workspace,
  patterns: string[],
  untracked?: readonly string[],
): Promise<OwnFile[]> {
  const { stores } = workspace;
  const listed = new Set(untracked ?? (await untrackedFiles(workspace)));
  if (listed.size === 0) return [];
  const entries = stores.team.newest('observation', 'summary', 'mark');
  // A file that does not parse or cannot be read is not committed; `git mem check` reports it.
  const read = [...entries].flatMap((entry) =>
    listed.has(`.memory/${entry.path}`) ? (readable(stores.team, entry) ?? []) : [],
  );
  const judged = await withTrust(read, workspace, { signatures: false });
  const cleaner = createCleaner(patterns, MAX_SCANNED_TEXT);
  const files: OwnFile[] = [];
  for (const { entry, record, blob, text, trust } of judged) {
    if (trust === 'own' && (await cleaner.text(text)) === text)
      files.push({ path: `.memory/${entry.path}`, blob, record });
  }
  return files;
}
