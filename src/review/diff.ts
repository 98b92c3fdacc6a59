import { nameless } from '../memory/file-name.ts';
import { type EffectiveState, type EffectiveStates, foldMarks, isHidden } from '../memory/marks.ts';
import { isContent, type Mark, type MarkType } from '../memory/record.ts';
import { WITHHELD } from '../memory/redaction.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { findSuspicious } from '../privacy/suspicious.ts';
import { activeRedactions } from '../provenance/redactions.ts';
import { comparableOf } from '../recall/search/duplicate-groups.ts';
import { nearDuplicates } from '../recall/search/duplicates.ts';
import { createSecretScanner } from './exposed.ts';
import { commitTree, type MemoryFile, type MemoryTree, worktreeTree } from './memory-tree.ts';
import type { Range } from './range.ts';
import { activeObservations, type FiledRecord, isRecordPath, type RecordSet, readRecords } from './records.ts';
import { removedMarks } from './removed-marks.ts';
import { changedFields, type Item, itemOf, titleOf } from './review-item.ts';
import { type StaleRecord, staleByChange } from './stale-by-change.ts';

/** What a change does to the memory, in the JSON shape of `git mem diff`. No text in it contains a detected secret. */
export interface MemoryDiff {
  /** A commit, or `nothing`. */
  base: string;
  /** A commit, or `worktree`. */
  head: string;
  /** New observations and summaries. */
  added: Item[];
  /** New marks, whatever they do. */
  marks: (Item & { targets: string[] })[];
  superseded: (Item & { by: string[] })[];
  retired: (Item & { reason: string })[];
  redacted: (Item & { reason: string })[];
  pinned: Item[];
  verified: Item[];
  /** Marks that no longer count, with the marks that undo them. */
  undone: (Item & { by: string[] })[];
  /** Marks that were removed or changed without an undo: what they hid would come back. */
  removed_marks: Item[];
  /** Changed by hand. */
  edited: (Item & { changes: string[] })[];
  deleted: Item[];
  stale_by_change: (Item & Omit<StaleRecord<FiledRecord>, 'filed'>)[];
  duplicates: (Item & { other: string; other_title: string; similarity: number })[];
  /** New records that supersede the same record as another active one does. */
  disputed: (Item & { other: string; other_title: string })[];
  invalid: { path: string; message: string }[];
  secrets: (Item & { kind: string; line: number })[];
  suspicious: (Item & { code: string; message: string; line: number })[];
  /** Changed files of `.memory/` that are not records: settings, the launcher. */
  other_files: { path: string; change: 'added' | 'edited' | 'deleted' }[];
  /** Of the new files. */
  size: { records: number; bytes: number };
  ok: boolean;
}

/** A diff with what it was made from. */
export interface Comparison {
  diff: MemoryDiff;
  base: RecordSet;
  head: RecordSet;
  /** The text without any secret that was found in it or elsewhere. */
  safe(text: string): Promise<string>;
}

/**
 * Compares the memory at both ends of a range by meaning. Marks of any author count: the diff shows what they would do.
 */
export async function compareMemory(workspace: Workspace, range: Range): Promise<Comparison> {
  const [before, after] = await Promise.all([
    commitTree(workspace, range.base),
    range.head === undefined ? worktreeTree(workspace) : commitTree(workspace, range.head),
  ]);
  const base = readRecords(before);
  const head = readRecords(after, base);
  const changed = [...after.values()].filter(({ path, blob }) => before.get(path)?.blob !== blob);
  const scan = await scanned(changed, head);
  const isNew = ({ record }: FiledRecord) => !base.byId.has(record.id);
  const news = head.records.filter(isNew);
  const added = news.filter(({ record }) => record.kind !== 'mark');
  const statesIn = ({ records }: RecordSet) => foldMarks(records.map(({ record }) => record));
  const states = { was: statesIn(base), is: statesIn(head) };
  // Records that only an untrusted mark would hide are exactly what a reviewer has to judge.
  const { ids: redacted } = await activeRedactions(workspace);
  const item = (filed: FiledRecord) => {
    const shown = itemOf(filed, scan.cover);
    return redacted.has(filed.record.id) ? { ...shown, title: WITHHELD, path: nameless(shown.path) } : shown;
  };
  const active = head.records.filter((filed) => !isNew(filed) && !isHidden(states.is.of(filed.record.id)));
  const invalid = head.invalid.filter(({ path }) => before.get(path)?.blob !== after.get(path)?.blob);
  const fresh = changed.filter(({ path }) => !before.has(path) && isRecordPath(path));
  const removed = removedMarks(base, head);
  const told = active.filter(({ record }) => !redacted.has(record.id));
  const stale = await staleByChange(workspace, told, range);
  const diff: MemoryDiff = {
    base: range.base ?? 'nothing',
    head: range.head ?? 'worktree',
    added: added.map(item),
    ...markChanges(news, head, states, item, scan.cover),
    removed_marks: removed.map(item),
    edited: head.records.flatMap((filed) => {
      const earlier = base.byId.get(filed.record.id);
      const changes = earlier === undefined ? [] : changedFields(earlier, filed);
      return changes.length === 0 ? [] : [{ ...item(filed), changes }];
    }),
    // A file that people broke is invalid, not deleted.
    deleted: base.records
      .filter(({ record, file }) => !head.byId.has(record.id) && !head.invalid.some(({ path }) => path === file.path))
      .map(item),
    stale_by_change: stale.map(({ filed, missing_names, ...rest }) => ({
      ...item(filed),
      ...rest,
      missing_names: missing_names.map(({ path, name }) => ({ path, name: scan.cover(name) })),
    })),
    duplicates: duplicatesOf(added, head, states.is.of, item),
    disputed: disputesOf(added, head.records, states.is).map(({ filed, other }) => ({
      ...item(filed),
      other: other.record.id,
      other_title: scan.cover(titleOf(other.record)),
    })),
    invalid: invalid.map(({ path, message }) => ({ path: scan.cover(path), message: scan.cover(message) })),
    secrets: scan.secrets,
    suspicious: scan.suspicious,
    other_files: otherFiles(before, after).map((file) => ({ ...file, path: scan.cover(file.path) })),
    size: { records: fresh.length, bytes: fresh.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0) },
    ok: scan.secrets.length + scan.suspicious.length + invalid.length + removed.length === 0,
  };
  return { diff, base, head, safe: scan.safe };
}

/** Finds secrets in every changed file and suspicious text in every record. */
async function scanned(changed: MemoryFile[], head: RecordSet) {
  const { scan, cover } = createSecretScanner();
  const byPath = new Map(head.records.map((filed) => [filed.file.path, filed]));
  const texts = changed.map(({ path, bytes }) => ({ path, text: bytes?.toString('utf8') ?? '' }));
  // All are scanned before anything is shown: a title may be the secret of another file.
  const exposures = [];
  for (const { path, text } of texts) exposures.push(...(await scan(text)).map((exposure) => ({ path, exposure })));
  const item = (path: string): Item => {
    const filed = byPath.get(path);
    return filed ? itemOf(filed, cover) : { id: '', title: '', path: cover(path) };
  };
  return {
    cover,
    async safe(text: string) {
      await scan(text);
      return cover(text);
    },
    secrets: exposures.map(({ path, exposure }) => ({ ...item(path), ...exposure })),
    suspicious: texts
      .filter(({ path }) => isRecordPath(path))
      .flatMap(({ path, text }) => findSuspicious(text).map((suspicion) => ({ ...item(path), ...suspicion }))),
  };
}

/** What new marks, and records that supersede others, do to the other records. */
function markChanges(
  news: FiledRecord[],
  head: RecordSet,
  { was, is }: { was: { of(id: string): EffectiveState }; is: { of(id: string): EffectiveState } },
  item: (filed: FiledRecord) => Item,
  cover: (text: string) => string,
) {
  const marks = news.flatMap((filed) => (filed.record.kind === 'mark' ? [{ filed, mark: filed.record }] : []));
  const nonMarks = head.records.filter(({ record }) => record.kind !== 'mark');
  const turned = (key: 'retired' | 'redacted' | 'pinned' | 'verified') =>
    nonMarks.filter(({ record: { id } }) => is.of(id)[key] && !was.of(id)[key]);
  const reasonOf = (type: MarkType, id: string) =>
    cover(marks.find(({ mark }) => mark.type === type && mark.targets.includes(id))?.mark.reason ?? '');
  const withReason = (type: MarkType, key: 'retired' | 'redacted') =>
    turned(key).map((filed) => ({ ...item(filed), reason: reasonOf(type, filed.record.id) }));
  const undoes = ({ targets }: Mark, { record }: FiledRecord) =>
    targets.includes(record.id) || (record.kind === 'mark' && record.targets.some((id) => targets.includes(id)));
  const undoing = marks.filter(({ mark }) => mark.type === 'undo');
  const undone = head.records.filter(({ record }) => record.kind === 'mark' && record.type !== 'undo');
  return {
    marks: marks.map(({ filed, mark }) => ({ ...item(filed), targets: mark.targets.map(cover) })),
    superseded: nonMarks.flatMap((filed) => {
      const { id } = filed.record;
      const by = is.of(id).superseded_by.filter((other) => !was.of(id).superseded_by.includes(other));
      return by.length === 0 ? [] : [{ ...item(filed), by: by.map(cover) }];
    }),
    retired: withReason('retire', 'retired'),
    redacted: withReason('redact', 'redacted'),
    pinned: turned('pinned').map(item),
    verified: turned('verified').map(item),
    undone: undone.flatMap((filed) => {
      const by = undoing.filter(({ mark }) => undoes(mark, filed)).map(({ mark }) => mark.id);
      return by.length === 0 ? [] : [{ ...item(filed), by }];
    }),
  };
}

function duplicatesOf(
  added: FiledRecord[],
  head: RecordSet,
  stateOf: (id: string) => EffectiveState,
  item: (filed: FiledRecord) => Item,
): MemoryDiff['duplicates'] {
  const about = new Set(added.map(({ record }) => record.id));
  const active = activeObservations(head, stateOf).map((record) => comparableOf({ record }));
  return nearDuplicates(active, { about, withOtherFiles: true }).flatMap(({ a, b, similarity }) => {
    // The new one first; of two new ones either.
    const [one, two] = about.has(a) ? [head.byId.get(a), head.byId.get(b)] : [head.byId.get(b), head.byId.get(a)];
    if (!one || !two) return [];
    const rounded = Math.round(similarity * 100) / 100;
    return [{ ...item(one), other: two.record.id, other_title: item(two).title, similarity: rounded }];
  });
}

function otherFiles(before: MemoryTree, after: MemoryTree): MemoryDiff['other_files'] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => !isRecordPath(path)).sort();
  return paths.flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was?.blob === is?.blob && was?.kind === is?.kind) return [];
    return [{ path, change: was === undefined ? 'added' : is === undefined ? 'deleted' : 'edited' } as const];
  });
}

/** An added record and another active one that supersede the same record. */
interface Dispute {
  filed: FiledRecord;
  other: FiledRecord;
}

/** The added records that supersede a record which others supersede differently, until one record replaces them all. */
function disputesOf(added: FiledRecord[], all: FiledRecord[], states: EffectiveStates): Dispute[] {
  const disputed = all.filter(({ record }) => states.of(record.id).disputed);
  const isRival = (a: FiledRecord, b: FiledRecord) =>
    all.some(({ record }) => {
      const heads = states.of(record.id).superseded_by;
      return heads.includes(a.record.id) && heads.includes(b.record.id);
    });
  return added
    .filter((one) => isContent(one.record) && disputed.includes(one) && !isHidden(states.of(one.record.id)))
    .flatMap((filed) =>
      disputed.filter((other) => other !== filed && isRival(filed, other)).map((other) => ({ filed, other })),
    );
}
