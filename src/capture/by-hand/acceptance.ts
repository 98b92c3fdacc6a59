import { outlineReader } from '../../memory/outline.ts';
import { noteAccepted } from '../../memory/store/ledger.ts';
import type { StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isTrusted, type Trust, trustOf } from '../../provenance/trust.ts';

/** A record as it was read, with the trust that it had. */
export interface JudgedRecord extends StoredRecord {
  trust: Trust;
}

/** What became of records that were to be accepted. */
export interface Acceptance {
  accepted: JudgedRecord[];
  /** Records that needed no acceptance. */
  trusted: JudgedRecord[];
  /** How many files could not be read. */
  unreadable: number;
}

/**
 * Accepts records on this clone only: from now on their content counts as if it had been written here. `ids` are full
 * ids of records in either store; without them the whole team store is accepted. Throws bad-record for a named record
 * that does not parse.
 */
export async function accept(workspace: Workspace, ids: Set<string> | undefined): Promise<Acceptance> {
  const { judged, unreadable } = await judge(workspace, ids);
  const accepted = judged.filter(({ trust }) => !isTrusted(trust));
  if (accepted.length > 0) {
    noteAccepted(
      workspace.ledger,
      accepted.map(({ blob, entry }) => ({ blob, path: entry.path, store: entry.store })),
    );
  }
  return { accepted, trusted: judged.filter(({ trust }) => isTrusted(trust)), unreadable };
}

async function judge(
  workspace: Workspace,
  ids: Set<string> | undefined,
): Promise<{ judged: JudgedRecord[]; unreadable: number }> {
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
  const trusts = await trustOf(stored, workspace, { signatures: true });
  return { judged: stored.map((one, i) => ({ ...one, trust: trusts[i] ?? 'unreviewed' })), unreadable };
}
