import { shortestPrefixes } from '../memory/id.ts';
import { type EffectiveState, foldMarks } from '../memory/marks.ts';
import type { MemoryRecord } from '../memory/record.ts';
import { createFreshness, type Freshness } from '../provenance/freshness.ts';
import { isTrusted, type Trust } from '../provenance/trust.ts';
import { runGit } from '../repo/objects.ts';
import type { Entry, StoredRecord } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';

/** A record with all that is computed about it when asked, and never written back. */
export interface Annotated<R extends MemoryRecord = MemoryRecord> {
  record: R;
  entry: Entry;
  /** Shortest prefix that names it among those annotated with it. */
  shortId: string;
  state: EffectiveState;
  trust: Trust;
  freshness: Freshness;
  /** Tokens that reading the whole record costs. */
  readTokens: number;
}

/** Tokens of a text as providers count them, within a few per cent: four characters each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * Annotates `pool`. `trust` holds every record that has a say, marks included: marks and `supersedes` count only where
 * their own record is trusted, so that a stranger's branch changes nothing.
 */
export async function annotate(
  workspace: Workspace,
  pool: StoredRecord[],
  trust: Map<StoredRecord, Trust>,
): Promise<Annotated[]> {
  const trusted = [...trust].filter(([, level]) => isTrusted(level)).map(([{ record }]) => record);
  const states = foldMarks(trusted);
  const freshness = createFreshness({
    root: workspace.checkout.root,
    format: workspace.format,
    pathsOf: await indexedPaths(workspace, pool),
  });
  const prefixes = shortestPrefixes(pool.map(({ record }) => record.id));
  return pool.map((stored) => {
    const { record, entry } = stored;
    return {
      record,
      entry,
      shortId: prefixes.get(record.id) ?? record.id,
      state: states.of(record.id),
      trust: trust.get(stored) ?? 'unreviewed',
      freshness: freshness.of(record.kind === 'observation' ? record.anchors : {}),
      readTokens: tokensOf(stored.text),
    };
  });
}

/** Where the index holds a blob now. Asked only when a cited file is missing, because it lists the whole index. */
async function indexedPaths(workspace: Workspace, pool: StoredRecord[]): Promise<(blob: string) => string[]> {
  const { checkout, format } = workspace;
  const probe = createFreshness({ root: checkout.root, format, pathsOf: () => [] });
  const missing = pool.some(({ record }) => {
    if (record.kind !== 'observation') return false;
    return Object.entries(record.anchors).some(([path, blob]) => probe.file(path, blob) === 'gone');
  });
  if (!missing) return () => [];
  const output = (await runGit(checkout.root, ['ls-files', '-s', '-z'], workspace.env)) ?? '';
  const paths = new Map<string, string[]>();
  for (const line of output.split('\0')) {
    const match = /^\d+ ([0-9a-f]+) \d\t(.*)$/s.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) {
      paths.set(match[1], [...(paths.get(match[1]) ?? []), match[2]]);
    }
  }
  return (blob) => paths.get(blob) ?? [];
}
