import { readable, type StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { isIdle, tellingSentences } from '../../memory/telling-sentences.ts';
import { missingWords } from '../../provenance/freshness.ts';
import { isTrusted, type WithTrust } from '../../provenance/trust.ts';
import { textsOf } from '../index/document.ts';
import { annotate } from '../query/annotate.ts';
import { judge, type Placed } from '../query/judgement.ts';
import { snippetIn } from '../search/snippet.ts';
import type { FileHit } from './file-recall.ts';
import { type Reading, readBearing } from './read-bearing.ts';
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
  /**
   * The records that the places were ranked against: if some are untrusted, the index is queried again without them.
   */
  considered: Placed[];
}

/**
 * The records that may be injected, read from their files: trusted, neither superseded, retired nor redacted, and with
 * at least one cited file left; and the blobs of untrusted records in the comparison. One git child.
 */
export async function injectable(
  workspace: Workspace,
  { places, statements, weights, pathOf, considered }: Found,
  { injectUnreviewed, most = places.length, reading }: { injectUnreviewed: boolean; most?: number; reading: Reading },
): Promise<{ entries: Recalled[]; untrusted: string[] }> {
  // A hook at every prompt and read has no time to verify signatures or follow files through history.
  const judgement = await judge(workspace, [...places, ...considered], statements, {
    signatures: false,
  });
  const untrusted = injectUnreviewed ? [] : considered.filter((placed) => !isTrusted(judgement.trust(placed)));
  const admitted = judgement.distinct(places).filter((placed) => {
    return injectUnreviewed ? judgement.admits(placed, {}) : judgement.isActive(placed);
  });
  const bears = readBearing(workspace.checkout.root, reading);
  const pool: WithTrust<StoredRecord>[] = [];
  for (const placed of admitted) {
    if (pool.length >= most) break;
    const stored = readable(workspace.stores[placed.entry.store], placed.entry);
    // If it was edited since the sync, its content is no longer what was judged.
    if (stored?.blob !== placed.document.blob || stored.record.kind !== 'observation') continue;
    const hit = pathOf.get(stored.record.id);
    if (isIdle(stored.record.title) || (hit !== undefined && !bears(stored.record, hit))) continue;
    pool.push({ ...stored, trust: judgement.trust(placed) });
  }
  const annotated = await annotate(workspace, pool, judgement.states, { isHook: true });
  const entries = annotated.flatMap(({ record, freshness, missing, state }): Recalled[] => {
    if (record.kind !== 'observation' || freshness === 'gone') return [];
    const file = pathOf.get(record.id);
    const wasRenamed = file !== undefined && file.cited !== file.path;
    const moved = freshness === 'moved' ? 'file moved' : '';
    const notes = [
      file?.path ?? '',
      wasRenamed ? `was ${file.cited}` : moved,
      missingWords(missing),
      state.disputed ? 'disputed' : '',
    ];
    const telling = textsOf(record).map((text) => tellingSentences(record.title, text).join('\n'));
    return [{ record, snippet: snippetIn(telling, weights), notes: notes.filter(Boolean) }];
  });
  return { entries, untrusted: untrusted.map(({ document }) => document.blob) };
}
