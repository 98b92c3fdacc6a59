import { isHidden } from '../../memory/marks.ts';
import type { StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { createFreshness } from '../../provenance/freshness.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { tokenize } from '../index/tokens.ts';
import { type Annotated, annotate } from '../query/annotate.ts';
import { judge, type Placed } from '../query/standing.ts';
import { snippetOf } from '../search/snippet.ts';
import type { Recalled } from './recall-text.ts';

interface CitedPath {
  path: string;
  cited: string;
}

/** What the index found to bear on an occasion, best first. */
export interface Found {
  places: Placed[];
  /** The records that have a say about others. */
  statements: Placed[];
  /** What each word of the occasion weighs. */
  weights: Map<string, number>;
  /** The file that a record is injected for, by the record's id, and what the record calls it. */
  pathOf: Map<string, CitedPath | undefined>;
  /** What cited files are called now, by what they were called. */
  renames: ReadonlyMap<string, string>;
  /** What the places were measured against: untrusted ones among these have to be left out, and the index asked again. */
  considered?: Placed[];
}

/** What may be injected, and the blobs of untrusted records that were measured against. */
export interface Injectable {
  entries: Recalled[];
  untrusted: string[];
}

/**
 * Those that may be injected, read from their files: trusted, neither superseded, retired nor redacted, and with some cited
 * file left. One git child.
 */
export async function injectable(
  workspace: Workspace,
  { places, statements, weights, pathOf, renames, considered = [] }: Found,
  { injectUnreviewed, most = places.length }: { injectUnreviewed: boolean; most?: number },
): Promise<Injectable> {
  // A hook at every prompt and read cannot verify signatures, nor follow files through history.
  const standing = await judge(workspace, [...places, ...considered], statements, { signatures: false });
  const untrusted = injectUnreviewed ? [] : considered.filter((placed) => !isTrusted(standing.trust(placed)));
  const admitted = standing.distinct(places).filter((placed) => {
    const isKnown = isTrusted(standing.trust(placed)) || injectUnreviewed;
    return isKnown && !isHidden(standing.states.of(placed.document.card.id));
  });
  const pool = admitted.slice(0, most).flatMap((placed) => {
    return readUnchanged(workspace, placed).map((stored) => ({ stored, trust: standing.trust(placed) }));
  });
  const annotated = await annotate(workspace, pool, standing.states, { renames });
  const { checkout, format } = workspace;
  const files = createFreshness({ root: checkout.root, format, pathsOf: () => [] });
  const entries = annotated.flatMap((one) => {
    const file = pathOf.get(one.record.id);
    const anchor = file !== undefined && one.record.kind === 'observation' ? one.record.anchors[file.cited] : undefined;
    // Of the file that is asked for its own blob tells; the record's freshness is about all its files.
    const freshness = file !== undefined && anchor !== undefined ? files.file(file.path, anchor) : one.freshness;
    return recalledOf(one, weights, file, freshness === 'touched');
  });
  return { entries, untrusted: untrusted.map(({ document }) => document.blob) };
}

/** Nothing when the file went away or was edited since the sync: what was judged is no longer what it says. */
function readUnchanged(workspace: Workspace, { document, entry }: Placed): StoredRecord[] {
  try {
    const stored = workspace.stores[entry.store].read(entry);
    return stored.blob === document.blob ? [stored] : [];
  } catch {
    return []; // `git mem check` names what does not parse.
  }
}

function recalledOf(
  { record, freshness, state }: Annotated,
  weights: Map<string, number>,
  file: CitedPath | undefined,
  isChanged: boolean,
): Recalled[] {
  if (record.kind !== 'observation' || freshness === 'gone') return [];
  const about =
    file === undefined ? (isChanged ? 'file changed since' : '') : file.path + (isChanged ? ' changed since' : '');
  const wasRenamed = file !== undefined && file.cited !== file.path;
  const moved = wasRenamed ? `was ${file.cited}` : freshness === 'moved' ? 'file moved' : '';
  const notes = [about, moved, state.disputed ? 'disputed' : ''];
  const words = file === undefined ? weights : new Map(tokenize(file.cited).map((token) => [token, 1]));
  return [{ record, snippet: snippetOf(record, words, undefined), notes: notes.filter(Boolean) }];
}
