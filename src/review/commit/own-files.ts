import { createCleaner } from '../../capture/drain/clean.ts';
import { COMMAND_PATIENCE_MS, runGit } from '../../git/objects.ts';
import { outlineReader } from '../../memory/outline.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { MAX_SCANNED_TEXT } from '../../memory/size.ts';
import { readEdited, readLedgers } from '../../memory/store/ledger.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** A record's file that git does not track yet. */
export interface OwnFile {
  /** Relative to the top of the checkout. */
  path: string;
  blob: string;
  record: MemoryRecord;
}

/**
 * The records that git-mem may commit by itself: not in the index (what somebody staged is theirs to commit), not
 * ignored, byte for byte as this clone wrote them (an edited or untrusted file is for a person to add), readable, and
 * free of secrets by the current rules. `patterns` are the team's `privacy.redact`.
 */
export async function ownNewFiles(workspace: Workspace, patterns: string[], index?: string): Promise<OwnFile[]> {
  const { checkout, env, stores } = workspace;
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', '.memory'];
  const options = { patienceMs: COMMAND_PATIENCE_MS, ...(index !== undefined && { index }) };
  const listed = new Set((await runGit(checkout.root, args, env, options))?.split('\0'));
  const own = readLedgers(workspace);
  const edited = readEdited(workspace);
  const cleaner = createCleaner(patterns, MAX_SCANNED_TEXT);
  const files: OwnFile[] = [];
  for (const entry of stores.team.newest('observation', 'summary', 'mark')) {
    const path = `.memory/${entry.path}`;
    if (!listed.has(path)) continue;
    try {
      const { record, blob, text } = stores.team.read(entry, outlineReader);
      if (own.has(blob) && !edited.has(blob) && (await cleaner.text(text)) === text) files.push({ path, blob, record });
    } catch {
      // It does not parse or cannot be read: `git mem check` reports it, and it is not committed.
    }
  }
  return files;
}
