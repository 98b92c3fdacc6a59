import { authorOf } from '../memory/author.ts';
import { nameless, parseMarkSlug } from '../memory/file-name.ts';
import { hiddenPassages, isWithoutTitle, withoutHidden } from '../memory/hidden-passages.ts';
import { shortestPrefixes } from '../memory/id.ts';
import { type EffectiveStates, isHidden } from '../memory/marks.ts';
import { isContent, type MemoryRecord, type Observation, type Summary } from '../memory/record.ts';
import { withheld } from '../memory/redaction.ts';
import { readEdited } from '../memory/store/ledger.ts';
import type { StoredRecord } from '../memory/store/source.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { FileFreshness, MissingName } from '../provenance/freshness.ts';
import { marksHere, removedMarks } from '../provenance/lasting-marks.ts';
import type { Freshness } from '../provenance/levels.ts';
import { citedFiles } from '../provenance/recorded.ts';
import { repeatingAmong } from '../provenance/redactions.ts';
import type { Judged } from '../provenance/relations.ts';
import { isActive, isTrusted, type WithTrust, withTrust } from '../provenance/trust.ts';
import { contentNow, freshnessOf } from '../provenance/whereabouts.ts';

/** A judged record with everything else that is computed about it on demand and never written back. */
export interface Annotated<R extends MemoryRecord = MemoryRecord> extends Judged<R> {
  /** Shortest prefix that is unique among the records annotated together. */
  shortId: string;
  /** A person edited it in this clone, which wrote it. */
  edited: boolean;
  freshness: Freshness;
  /** Somebody verified it since its files last changed. */
  verified: boolean;
  /** Names in its text that no file it cites contains any more. */
  missing: MissingName[];
  cited: FileFreshness[];
  /** Tokens needed to read the whole record. */
  readTokens: number;
}

/** Approximate token count, within a few per cent of the providers': four characters each. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/**
 * Annotates records whose trust is known, with the states that trusted statements give them: an untrusted branch
 * changes nothing. With `isHook`, the history is not asked.
 */
export async function annotate(
  workspace: Workspace,
  pool: readonly WithTrust<StoredRecord>[],
  states: EffectiveStates,
  options: { isHook?: boolean } = {},
): Promise<Annotated[]> {
  const repeating = await repeatingAmong(workspace, pool);
  const stateOf = ({ record, blob }: StoredRecord) => {
    const state = states.of(record.id);
    return repeating.has(blob) ? { ...state, redacted: true } : state;
  };
  // Names in a redacted record are not even looked up.
  const shown = pool.filter((one) => !stateOf(one).redacted);
  const judged = await freshnessOf(workspace, shown, options);
  const edited = readEdited(workspace);
  const cited = shown.map(({ record }) => ({ id: record.id, files: citedFiles(record) }));
  const verified = await verifiedSince(workspace, cited, states);
  const prefixes = shortestPrefixes(pool.map(({ record }) => record.id));
  return pool.map((one) => {
    const { record, entry, blob, text, trust } = one;
    const { freshness, missing, files } = judged(blob);
    return {
      record,
      entry,
      shortId: prefixes.get(record.id) ?? record.id,
      state: stateOf(one),
      trust,
      edited: edited.has(blob),
      freshness,
      verified: verified.has(record.id),
      missing,
      cited: files,
      readTokens: tokensOf(text),
    };
  });
}

/**
 * An annotated record as it may be shown. Of a redacted one only its existence is left; its path, and that of a summary
 * whose title was taken out, loses the title's words.
 */
export function presentable(annotated: Annotated): Annotated {
  const { state, record, entry } = annotated;
  if (!state.redacted && !isWithoutTitle(record)) return annotated;
  return {
    ...annotated,
    record: state.redacted ? withheld(record) : record,
    entry: { ...entry, path: nameless(entry.path), slug: '' },
  };
}

/** The same records; their summaries no longer repeat what hidden ones among them said. */
export function withoutWhatIsHidden<R extends Pick<Annotated, 'record' | 'state' | 'trust'>>(
  records: readonly R[],
): R[] {
  const observed = records.filter(({ record }) => record.kind === 'observation');
  const hidden = observed.flatMap(({ record, state }) => (isHidden(state) ? [record] : []));
  const without = (live: MemoryRecord[]) => {
    const passages = hiddenPassages(hidden, live);
    return records.map((one) => ({ ...one, record: withoutHidden(one.record, passages) }));
  };
  const most = without([]);
  // A summary hardly ever repeats any of it, so the live records, which take long to read, are consulted only if one does.
  return most.every(({ record }, i) => record === records[i]?.record)
    ? most
    : without(observed.flatMap((one) => (isActive(one) ? [one.record] : [])));
}

/**
 * The ids of the records that are verified as they are now: by a mark with blobs of the cited files that are still current.
 * A mark that names no files, such as one that a person wrote, always counts.
 */
async function verifiedSince(
  workspace: Workspace,
  records: readonly { id: string; files: readonly string[] }[],
  states: EffectiveStates,
): Promise<Set<string>> {
  const verified = records.filter(({ id }) => states.of(id).verified);
  if (verified.length === 0) return new Set();
  const anchors = await anchorsOf(workspace, new Map(verified.map(({ id }) => [id, states.of(id).verified_by])));
  const content = await contentNow(workspace);
  const isSame = ([path, blob]: [string, string]) => {
    const now = content(path);
    return typeof now === 'object' && now.is(blob);
  };
  const holds = verified.filter(({ id, files }) =>
    states.of(id).verified_by.some((mark) => {
      const seen = anchors.get(mark);
      return seen !== undefined && Object.entries(seen).every((file) => !files.includes(file[0]) || isSame(file));
    }),
  );
  return new Set(holds.map(({ id }) => id));
}

/** The blobs of cited files that marks about these records name; git is asked for marks that count here without a file. */
async function anchorsOf(
  workspace: Workspace,
  marksOf: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, Record<string, string>>> {
  const isWanted = (slug: string) => {
    const { type = 'verify', target = '', more = true } = parseMarkSlug(slug) ?? {};
    return type === 'verify' && (more || marksOf.has(target));
  };
  // A branch may have a copy of a mark that says something else.
  const here = await withTrust(marksHere(workspace, isWanted), workspace, { signatures: false });
  const found: StoredRecord[] = here.filter(({ trust }) => isTrusted(trust));
  const ids = new Set(found.map(({ record }) => record.id));
  if (![...marksOf.values()].flat().every((id) => ids.has(id))) {
    found.push(...(await removedMarks(workspace, [], { isWanted })));
  }
  return new Map(found.flatMap(({ record }) => (record.kind === 'mark' ? [[record.id, record.anchors ?? {}]] : [])));
}

/** A record that waits for a person. */
export type Waiting = Annotated<Observation | Summary>;

/** Tells whether a record waits to be accepted: private, by an agent or a model, neither a digest nor hidden. */
export function isWaiting(annotated: Annotated): annotated is Waiting {
  const { record, entry, state } = annotated;
  if (entry.store !== 'private' || isHidden(state)) return false;
  return isContent(record) && authorOf(record) !== 'person';
}
