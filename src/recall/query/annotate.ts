import { nameless } from '../../memory/file-name.ts';
import { shortestPrefixes } from '../../memory/id.ts';
import { type EffectiveStates, isHidden } from '../../memory/marks.ts';
import type { MemoryRecord } from '../../memory/record.ts';
import { withheld } from '../../memory/redaction.ts';
import { readEdited } from '../../memory/store/ledger.ts';
import type { StoredRecord } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Freshness } from '../../provenance/freshness.ts';
import type { Judged } from '../../provenance/relations.ts';
import type { Revert } from '../../provenance/reverts.ts';
import type { WithTrust } from '../../provenance/trust.ts';
import { judgeOf } from '../../provenance/whereabouts.ts';
import { keptDisputes } from './kept-disputes.ts';

/** A judged record with everything else that is computed about it on demand and never written back. */
export interface Annotated<R extends MemoryRecord = MemoryRecord> extends Judged<R> {
  /** Shortest prefix that is unique among the records annotated with it. */
  shortId: string;
  /** A person edited in this clone what it wrote. */
  edited: boolean;
  freshness: Freshness;
  /** The ids of active records whose titles contradict its own, as far as the last drain compared them. */
  disputedBy: string[];
  /** The commit that reverted its work; missing if `withReverts` was not called, as in hooks. */
  reverted?: Revert;
  /** Tokens that reading the whole record costs. */
  readTokens: number;
}

/** Approximate token count, within a few per cent of the providers': four characters each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * Annotates records whose trust is known, with the states that trusted statements give them: an untrusted branch
 * changes nothing. `renames` are those that the caller knows; without it, history is asked where missing cited files
 * went.
 */
export async function annotate(
  workspace: Workspace,
  pool: readonly WithTrust<StoredRecord>[],
  states: EffectiveStates,
  { renames }: { renames?: ReadonlyMap<string, string> } = {},
): Promise<Annotated[]> {
  const cited = pool.map(({ record }) => (record.kind === 'observation' ? record.anchors : {}));
  const freshness = await judgeOf(workspace, cited, renames);
  const edited = readEdited(workspace);
  const rivals = keptDisputes(workspace);
  const prefixes = shortestPrefixes(pool.map(({ record }) => record.id));
  return pool.map(({ record, entry, blob, text, trust }, i) => {
    return {
      record,
      entry,
      shortId: prefixes.get(record.id) ?? record.id,
      state: states.of(record.id),
      trust,
      edited: edited.has(blob),
      freshness: freshness.of(cited[i] ?? {}),
      disputedBy: (rivals.get(record.id) ?? []).filter((id) => !isHidden(states.of(id))),
      readTokens: tokensOf(text),
    };
  });
}

/**
 * An annotated record as it may be shown: of a redacted one only its existence, under a name without its title's words.
 */
export function presentable(annotated: Annotated): Annotated {
  const { state, record, entry } = annotated;
  if (!state.redacted) return annotated;
  return { ...annotated, record: withheld(record), entry: { ...entry, path: nameless(entry.path), slug: '' } };
}
