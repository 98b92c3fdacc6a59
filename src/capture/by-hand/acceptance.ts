import { GitMemError } from '../../errors.ts';
import { outlineReader } from '../../memory/outline.ts';
import { noteAccepted } from '../../memory/store/ledger.ts';
import type { StoredRecord } from '../../memory/store/source.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted, type WithTrust, withTrust } from '../../provenance/trust.ts';
import { grouped } from '../../quantities.ts';
import { refuseAccepting } from '../drain/must-wait.ts';

/** What became of records that were to be accepted. */
export interface Acceptance {
  /** With the trust that they had before. */
  accepted: WithTrust<StoredRecord>[];
  /** Records that needed no acceptance. */
  trusted: WithTrust<StoredRecord>[];
  /** How many files could not be read. */
  unreadable: number;
}

/**
 * Accepts records on this clone only: from now on their content counts as if it had been written here. `ids` are full
 * ids of records in either store; without them the whole team store is accepted. Throws bad-record for a named record
 * that does not parse, and ambiguous-id where several files claim a named id: only one of them was shown.
 */
export async function accept(
  workspace: Workspace,
  ids: Set<string> | undefined,
  by: { isAgent?: boolean } = {},
): Promise<Acceptance> {
  const { stores } = workspace;
  const stored: StoredRecord[] = [];
  let unreadable = 0;
  for (const store of ids === undefined ? [stores.team] : [stores.team, stores.private]) {
    for (const entry of store.newest()) {
      if (ids !== undefined && !ids.has(entry.id)) continue;
      try {
        stored.push(store.read(entry, outlineReader));
      } catch (error) {
        if (ids !== undefined) throw error;
        unreadable++;
      }
    }
  }
  const judged = await withTrust(stored, workspace, { signatures: true });
  if (ids !== undefined) refuseRivals(judged);
  const accepted = judged.filter(({ trust }) => !isTrusted(trust));
  for (const { record } of accepted) refuseAccepting(workspace, record, by);
  const noted = accepted.map(({ blob, entry: { path, store } }) => ({ blob, path, store }));
  if (noted.length > 0) noteAccepted(workspace.ledger, noted);
  return { accepted, trusted: judged.filter(({ trust }) => isTrusted(trust)), unreadable };
}

function refuseRivals(judged: WithTrust<StoredRecord>[]): void {
  for (const [id, claiming] of grouped(judged, ({ record }) => record.id)) {
    const texts = new Set(claiming.map(({ blob }) => blob));
    if (texts.size < 2 || claiming.every(({ trust }) => isTrusted(trust))) continue;
    const files = claiming.map(({ entry, trust }) => `${entry.path} (${trust})`).join(', ');
    throw new GitMemError('ambiguous-id', `${texts.size} files claim the id ${id}: ${files}.`, {
      hint: 'Read them, remove those that you do not mean, and accept the one that is left.',
    });
  }
}
