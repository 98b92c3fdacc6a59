import { readable } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { createFreshness } from '../../provenance/freshness.ts';
import { isTrusted } from '../../provenance/trust.ts';
import { cut, TITLE_CHARS } from '../briefing/fence.ts';
import { textsOf } from '../index/document.ts';
import { tokenize } from '../index/tokens.ts';
import { annotate } from '../query/annotate.ts';
import { judge, type Placed } from '../query/judgement.ts';
import { snippetIn } from '../search/snippet.ts';
import type { FileHit } from './file-recall.ts';
import type { Recalled } from './recall-text.ts';

/** Records that the index found for an occasion, best first. */
export interface Found {
  places: Placed[];
  /** The records that change the state of others. */
  statements: Placed[];
  /** The weight of each word of the occasion. */
  weights: Map<string, number>;
  /** The file that a record is injected for, and its name in the record, by the record's id. */
  pathOf: ReadonlyMap<string, FileHit | undefined>;
  /** The current names of cited files, by their former names. */
  renames: ReadonlyMap<string, string>;
  /**
   * The records that the places were ranked against: if some are untrusted, the index is queried again without them.
   */
  considered: Placed[];
  /** The records that contradict some of the places by their titles, by the ids of those. */
  rivals: Map<string, Placed>;
}

/**
 * The records that may be injected, read from their files: trusted, neither superseded, retired nor redacted, and with
 * at least one cited file left; and the blobs of untrusted records in the comparison. One git child.
 */
export async function injectable(
  workspace: Workspace,
  { places, statements, weights, pathOf, renames, considered, rivals }: Found,
  { injectUnreviewed, most = places.length }: { injectUnreviewed: boolean; most?: number },
): Promise<{ entries: Recalled[]; untrusted: string[] }> {
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
  const entries = annotated.flatMap(({ record, freshness, state }): Recalled[] => {
    if (record.kind !== 'observation' || freshness === 'gone') return [];
    const file = pathOf.get(record.id);
    const anchor = file && record.anchors[file.cited];
    // For the requested file its own blob decides; the record's freshness covers all its files.
    const now = file !== undefined && anchor !== undefined ? files.file(file.path, anchor) : freshness;
    const changed = now === 'touched' ? 'changed since' : '';
    const wasRenamed = file !== undefined && file.cited !== file.path;
    const moved = freshness === 'moved' ? 'file moved' : '';
    const rival = rivals.get(record.id);
    const notes = [
      file === undefined ? changed && `file ${changed}` : [file.path, changed].filter(Boolean).join(' '),
      wasRenamed ? `was ${file.cited}` : moved,
      state.disputed ? 'disputed' : '',
      rival && judgement.isActive(rival) ? disputedBy(rival) : '',
    ];
    const words = file === undefined ? weights : new Map(tokenize(file.cited).map((token) => [token, 1]));
    return [{ record, snippet: snippetIn(textsOf(record), words), notes: notes.filter(Boolean) }];
  });
  return { entries, untrusted: untrusted.map(({ document }) => document.blob) };
}

function disputedBy({ document: { card } }: Placed): string {
  return `disputed by ${card.id}: ${cut(card.title, TITLE_CHARS)}`;
}
