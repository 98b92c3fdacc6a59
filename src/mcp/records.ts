import { resolveId } from '../memory/id.ts';
import { outlineReader } from '../memory/outline.ts';
import { mostTrusted, trustOf } from '../provenance/trust.ts';
import { type Annotated, annotate } from '../recall/annotate.ts';
import { judge, placesOf } from '../recall/standing.ts';
import type { Entry, StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Repository } from './repositories.ts';

/**
 * Whole records by their ids or prefixes of these, in the order asked for, and the ids that name nothing; throws
 * ambiguous-id. Reads only these files: a server that read all would hold thousands of records for the sake of three.
 */
export async function readRecords(
  { project: { workspace }, cache }: Repository,
  prefixes: string[],
): Promise<{ found: Annotated[]; missing: string[] }> {
  const { entries, missing } = findEntries(workspace, prefixes);
  const stored: StoredRecord[] = [];
  for (const entry of entries) {
    try {
      stored.push(workspace.stores[entry.store].read(entry, outlineReader));
    } catch {
      missing.push(entry.id); // The file does not parse or went away just now: `git mem check` tells which.
    }
  }
  const statements = await cache.query((index) => placesOf(index, index.statements()));
  const { statements: spoken } = await judge(workspace, [], statements);
  const levels = await trustOf(stored, workspace, { signatures: true });
  const trust = new Map([...spoken, ...stored.map((one, i) => [one, levels[i] ?? 'unreviewed'] as const)]);
  const distinct = mostTrusted(stored, (one) => {
    return { id: one.entry.id, store: one.entry.store, trust: trust.get(one) ?? 'unreviewed' };
  });
  return { found: await annotate(workspace, distinct, trust), missing };
}

/** Full ids for prefixes; throws no-such-record, ambiguous-id. */
export function fullIds(workspace: Workspace, prefixes: string[]): string[] {
  const ids = [...entriesById(workspace).keys()];
  return prefixes.map((prefix) => resolveId(prefix.trim(), ids));
}

function findEntries(workspace: Workspace, prefixes: string[]): { entries: Entry[]; missing: string[] } {
  const byId = entriesById(workspace);
  const ids = [...byId.keys()];
  const found = new Set<Entry>();
  const missing: string[] = [];
  for (const prefix of prefixes) {
    const wanted = prefix.trim().toLowerCase();
    const isKnown = wanted.length >= 4 && ids.some((id) => id.startsWith(wanted));
    const named = isKnown ? byId.get(resolveId(wanted, ids)) : undefined;
    if (named === undefined) missing.push(prefix);
    else for (const entry of named) found.add(entry);
  }
  return { entries: [...found], missing };
}

/** Every file by the id in its name: several may claim one, and only trust can tell which is meant. */
function entriesById({ stores }: Workspace): Map<string, Entry[]> {
  const byId = new Map<string, Entry[]>();
  for (const store of [stores.team, stores.private]) {
    for (const entry of store.newest()) {
      const same = byId.get(entry.id);
      if (same) same.push(entry);
      else byId.set(entry.id, [entry]);
    }
  }
  return byId;
}
