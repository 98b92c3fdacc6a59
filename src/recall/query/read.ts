import { GitMemError, messageOf } from '../../errors.ts';
import { resolveId } from '../../memory/id.ts';
import { isHidden } from '../../memory/marks.ts';
import { outlineReader } from '../../memory/outline.ts';
import { requireRoom } from '../../memory/store/room.ts';
import type { StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Freshness } from '../../provenance/freshness.ts';
import { removedMarks } from '../../provenance/lasting-marks.ts';
import { mostTrusted, type Trust, trustOf } from '../../provenance/trust.ts';
import { type Annotated, annotate } from './annotate.ts';
import { type CardFilter, isAnyOf } from './card-filter.ts';
import type { NowOf } from './renamed-files.ts';

export interface Filter extends CardFilter {
  trust?: Trust;
  freshness?: Freshness;
  /** Superseded, retired and redacted records too. */
  all?: boolean;
}

/** Everything that both stores hold, newest first, and what could not be read. */
export interface Everything {
  records: Annotated[];
  problems: { path: string; message: string; isNewer: boolean }[];
}

/**
 * Reads every record of both stores. A file that does not parse is skipped and named in `problems`. Throws too-large where
 * they would not fit into this process, which would otherwise die of it without a word of use.
 */
export async function readEverything(
  workspace: Workspace,
  { heapBytes }: { heapBytes?: number } = {},
): Promise<Everything> {
  const { stores } = workspace;
  const found: StoredRecord[] = [];
  const problems: Everything['problems'] = [];
  const listed = [stores.team, stores.private].map((store) => ({ store, entries: [...store.newest()] }));
  requireRoom(
    listed.reduce((sum, { entries }) => sum + entries.length, 0),
    heapBytes,
  );
  for (const { store, entries } of listed) {
    for (const entry of entries) {
      try {
        found.push(store.read(entry, outlineReader));
      } catch (error) {
        const isNewer = error instanceof GitMemError && error.code === 'newer-format';
        problems.push({ path: entry.path, message: messageOf(error), isNewer });
      }
    }
  }
  found.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  const levels = await trustOf(found, workspace, { signatures: true });
  const trust = new Map(found.map((stored, i) => [stored, levels[i] ?? 'unreviewed']));
  for (const mark of await removedMarks(workspace, new Set(found.map(({ blob }) => blob)))) trust.set(mark, 'own');
  const distinct = mostTrusted(found, (stored) => ({
    id: stored.record.id,
    store: stored.entry.store,
    trust: trust.get(stored) ?? 'unreviewed',
  }));
  return { records: await annotate(workspace, distinct, trust), problems };
}

/** The records that a filter lets through, in their order; without kinds observations and summaries. `nowOf` as for `cardFilter`. */
export function select(records: Annotated[], filter: Filter, nowOf?: NowOf): Annotated[] {
  const kinds = filter.kinds ?? ['observation', 'summary'];
  return records.filter(({ record, entry, state, trust, freshness }) => {
    if (!kinds.includes(record.kind)) return false;
    if (!filter.all && isHidden(state)) return false;
    if (filter.store && entry.store !== filter.store) return false;
    if (filter.trust && trust !== filter.trust) return false;
    if (filter.freshness && freshness !== filter.freshness) return false;
    if (filter.branch && record.branch !== filter.branch) return false;
    if (filter.session && !record.session?.startsWith(filter.session)) return false;
    if (filter.since && record.generated.at < filter.since) return false;
    if (filter.until && record.generated.at > filter.until) return false;
    const type = record.kind === 'prompt' ? 'prompt' : record.type;
    if (filter.types && !filter.types.includes(type)) return false;
    const concepts = record.kind === 'observation' ? record.concepts : [];
    if (filter.concepts && !filter.concepts.some((concept) => concepts.includes(concept))) return false;
    const { files } = filter;
    return !files || filesOf(record).some((path) => isAnyOf(path, files, nowOf));
  });
}

/** The records that ids or their prefixes name, and those that name nothing; throws ambiguous-id. */
export function pick(records: Annotated[], prefixes: string[]): { found: Annotated[]; missing: string[] } {
  const byId = new Map(records.map((annotated) => [annotated.record.id, annotated]));
  const missing: string[] = [];
  const found = prefixes.flatMap((prefix) => {
    try {
      const annotated = byId.get(resolveId(prefix, byId.keys()));
      return annotated ? [annotated] : [];
    } catch (error) {
      if (!(error instanceof GitMemError) || error.code !== 'no-such-record') throw error;
      missing.push(prefix);
      return [];
    }
  });
  return { found, missing };
}

function filesOf(record: Annotated['record']): string[] {
  if (record.kind === 'observation') return [...record.files_modified, ...record.files_read];
  return record.kind === 'summary' ? [...record.files_edited, ...record.files_read] : [];
}

function keyOf({ record }: StoredRecord): string {
  return `${record.generated.at} ${record.id}`;
}
