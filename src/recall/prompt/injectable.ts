import { readable } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { createFreshness } from '../../provenance/freshness.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { cut, TITLE_CHARS } from '../briefing/fence.ts';
import { tokenize } from '../index/tokens.ts';
import { type Annotated, annotate } from '../query/annotate.ts';
import { judge, type Placed } from '../query/judgement.ts';
import { snippetOf } from '../search/snippet.ts';
import type { Recalled } from './recall-text.ts';

const NONE: ReadonlyMap<string, Placed> = new Map();

interface CitedPath {
  path: string;
  cited: string;
}

/** Records that the index found for an occasion, best first. */
export interface Found {
  places: Placed[];
  /** The records that change the state of others. */
  statements: Placed[];
  /** The weight of each word of the occasion. */
  weights: Map<string, number>;
  /** The file that a record is injected for, and its name in the record, by the record's id. */
  pathOf: Map<string, CitedPath | undefined>;
  /** The current names of cited files, by their former names. */
  renames: ReadonlyMap<string, string>;
  /**
   * The records that the places were ranked against: if some are untrusted, the index is queried again without them.
   */
  considered?: Placed[];
  /** The records that contradict some of the places by their titles, by the ids of those. */
  rivals?: ReadonlyMap<string, Placed>;
}

/** The records that may be injected, and the blobs of untrusted records in the comparison. */
export interface Injectable {
  entries: Recalled[];
  untrusted: string[];
}

/**
 * The records that may be injected, read from their files: trusted, neither superseded, retired nor redacted, and with
 * at least one cited file left. One git child.
 */
export async function injectable(
  workspace: Workspace,
  { places, statements, weights, pathOf, renames, considered = [], rivals = NONE }: Found,
  { injectUnreviewed, most = places.length }: { injectUnreviewed: boolean; most?: number },
): Promise<Injectable> {
  // A hook at every prompt and read has no time to verify signatures or follow files through history.
  const judgement = await judge(workspace, [...places, ...considered, ...rivals.values()], statements, {
    signatures: false,
  });
  const untrusted = injectUnreviewed ? [] : considered.filter((placed) => !isTrusted(judgement.trust(placed)));
  const admitted = judgement.distinct(places).filter((placed) => {
    return injectUnreviewed ? judgement.admits(placed, {}) : judgement.isActive(placed);
  });
  const pool = admitted.slice(0, most).flatMap((placed) => {
    const stored = readable(workspace.stores[placed.entry.store], placed.entry);
    // If it was edited since the sync, its content is no longer what was judged.
    return stored?.blob === placed.document.blob ? [{ ...stored, trust: judgement.trust(placed) }] : [];
  });
  const annotated = await annotate(workspace, pool, judgement.states, { renames });
  const { checkout, format } = workspace;
  const files = createFreshness({ root: checkout.root, format, pathsOf: () => [] });
  const entries = annotated.flatMap((one) => {
    const file = pathOf.get(one.record.id);
    const anchor = file !== undefined && one.record.kind === 'observation' ? one.record.anchors[file.cited] : undefined;
    // For the requested file its own blob decides; the record's freshness covers all its files.
    const freshness = file !== undefined && anchor !== undefined ? files.file(file.path, anchor) : one.freshness;
    const rival = rivals.get(one.record.id);
    const isRival = rival !== undefined && judgement.isActive(rival);
    return recalledOf({ one, weights, file, isChanged: freshness === 'touched', ...(isRival && { rival }) });
  });
  return { entries, untrusted: untrusted.map(({ document }) => document.blob) };
}

interface Recalling {
  one: Annotated;
  weights: Map<string, number>;
  file: CitedPath | undefined;
  isChanged: boolean;
  rival?: Placed;
}

function recalledOf({ one, weights, file, isChanged, rival }: Recalling): Recalled[] {
  const { record, freshness, state } = one;
  if (record.kind !== 'observation' || freshness === 'gone') return [];
  const about =
    file === undefined ? (isChanged ? 'file changed since' : '') : file.path + (isChanged ? ' changed since' : '');
  const wasRenamed = file !== undefined && file.cited !== file.path;
  const moved = wasRenamed ? `was ${file.cited}` : freshness === 'moved' ? 'file moved' : '';
  const against = rival ? `disputed by ${rival.document.card.id}: ${cut(rival.document.card.title, TITLE_CHARS)}` : '';
  const notes = [about, moved, state.disputed ? 'disputed' : '', against];
  const words = file === undefined ? weights : new Map(tokenize(file.cited).map((token) => [token, 1]));
  return [{ record, snippet: snippetOf(record, words, undefined), notes: notes.filter(Boolean) }];
}
