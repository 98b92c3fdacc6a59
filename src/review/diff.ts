import { textsOf } from '../index/document.ts';
import { nameless } from '../memory/file-name.ts';
import { foldMarks, isHidden } from '../memory/marks.ts';
import { WITHHELD, withheld } from '../memory/redaction.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { findSuspicious } from '../privacy/suspicious.ts';
import { activeRedactions } from '../provenance/redactions.ts';
import { createSecretScanner } from './exposed.ts';
import { disputesOf, markChanges, removedMarks } from './mark-changes.ts';
import type { Range } from './memory-tree.ts';
import { commitTree, type MemoryFile, type MemoryTree, worktreeTree } from './memory-tree.ts';
import { type FiledRecord, isRecordPath, type RecordSet, readRecords, repeatedRecords } from './records.ts';
import { editsOf, type FieldEdit, type Item, itemOf } from './review-item.ts';
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
  superseded: (Item & { by: string[]; reason: string; texts: string[] })[];
  retired: (Item & { reason: string })[];
  redacted: (Item & { reason: string })[];
  pinned: (Item & { reason: string; guards: string[] })[];
  verified: (Item & { reason: string })[];
  /** Marks that no longer count, with the marks that undo them. */
  undone: (Item & { by: string[] })[];
  /** Marks that were removed or changed without an undo, with the titles of their targets, which would come back. */
  removed_marks: (Item & { about: string[] })[];
  edited: (Item & { changes: string[]; edits: FieldEdit[] })[];
  /** Records that were deleted by hand, with what they said. */
  deleted: (Item & { texts: string[] })[];
  stale_by_change: (Item & Omit<StaleRecord<FiledRecord>, 'filed'>)[];
  /** New records that nearly repeat another one, each once. */
  duplicates: (Item & { other: string; other_title: string; similarity: number })[];
  /** New records that supersede a record that another active one supersedes too. */
  disputed: (Item & { other: string; other_title: string })[];
  invalid: { path: string; message: string }[];
  secrets: (Item & { kind: string; line: number })[];
  suspicious: (Item & { code: string; message: string; line: number })[];
  /** Changed files of `.memory/` that are not records: settings, the launcher. */
  other_files: { path: string; change: 'added' | 'edited' | 'deleted'; before: string; after: string }[];
  /** The size of the new files. */
  size: { records: number; bytes: number };
  ok: boolean;
}

/** A diff and what it was made from. */
export interface Comparison {
  diff: MemoryDiff;
  base: RecordSet;
  head: RecordSet;
  /** The text without any secret found in it or elsewhere. */
  safe(text: string): Promise<string>;
  /** Tells whether a record is redacted at either end, or by a redaction that counts here. */
  isWithheld(id: string): boolean;
}

/** Compares both ends of a range by meaning. Marks of any author count: the diff shows what they would do. */
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
  const presentable = (filed: FiledRecord) =>
    redacted.has(filed.record.id) ? { ...filed, record: withheld(filed.record) } : filed;
  const said = markChanges(news.map(presentable), head, states, item, scan.cover);
  // What the change itself verifies has been looked at.
  const settled = new Set([...redacted, ...said.verified.map(({ id }) => id)]);
  const told = head.records.filter((filed) => {
    const { id } = filed.record;
    return !isNew(filed) && !isHidden(states.is.of(id)) && !settled.has(id);
  });
  const invalid = head.invalid.filter(({ path }) => before.get(path)?.blob !== after.get(path)?.blob);
  const fresh = changed.filter(({ path }) => !before.has(path) && isRecordPath(path));
  const removed = removedMarks(base, head);
  const titleIn = (id: string) => {
    const filed = head.byId.get(id) ?? base.byId.get(id);
    return filed === undefined ? scan.cover(id) : item(filed).title;
  };
  // A file that people broke is invalid, not deleted; a mark that is gone is listed as removed.
  const isDeleted = ({ record: { id, kind }, file }: FiledRecord) =>
    kind !== 'mark' && !head.byId.has(id) && !head.invalid.some(({ path }) => path === file.path);
  const isWithheld = (id: string) => redacted.has(id) || states.was.of(id).redacted || states.is.of(id).redacted;
  const texts = textReader({ isWithheld, safe: scan.safe });
  const stale = await staleByChange(workspace, told, range);
  const diff: MemoryDiff = {
    base: range.base ?? 'nothing',
    head: range.head ?? 'worktree',
    added: added.map(item),
    ...said,
    superseded: await texts.of(said.superseded, head),
    removed_marks: removed.map((filed) => ({ ...item(filed), about: filed.record.targets.map(titleIn) })),
    edited: await texts.edits(base, head, item),
    deleted: await texts.of(base.records.filter(isDeleted).map(item), base),
    stale_by_change: stale.map(({ filed, missing_names, ...rest }) => ({
      ...item(filed),
      ...rest,
      missing_names: missing_names.map(({ path, name }) => ({ path, name: scan.cover(name) })),
    })),
    duplicates: repeatedRecords(head, states.is.of, new Set(added.map(({ record }) => record.id))).flatMap((pair) => {
      const one = head.byId.get(pair.id);
      const similarity = Math.round(pair.similarity * 100) / 100;
      return one ? [{ ...item(one), other: pair.other, other_title: titleIn(pair.other), similarity }] : [];
    }),
    disputed: disputesOf(added, head.records, states.is).map(({ filed, other }) => ({
      ...item(filed),
      other: other.record.id,
      other_title: titleIn(other.record.id),
    })),
    invalid: invalid.map(({ path, message }) => ({ path: scan.cover(path), message: scan.cover(message) })),
    secrets: scan.secrets,
    suspicious: scan.suspicious,
    other_files: await otherFiles(before, after, scan),
    size: { records: fresh.length, bytes: fresh.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0) },
    ok: scan.secrets.length + scan.suspicious.length + invalid.length + removed.length === 0,
  };
  return { diff, base, head, safe: scan.safe, isWithheld };
}

/** Finds secrets in every changed file and suspicious text in every record. */
async function scanned(changed: MemoryFile[], head: RecordSet) {
  const { scan, cover } = createSecretScanner();
  const byPath = new Map(head.records.map((filed) => [filed.file.path, filed]));
  const texts = changed.map(({ path, bytes }) => ({ path, text: bytes?.toString('utf8') ?? '' }));
  // All are scanned before anything is shown: one file's title may be another's secret.
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

/** Reads what records said, and how they changed, without secrets and the text of redacted ones. */
function textReader({ isWithheld, safe }: { isWithheld(id: string): boolean; safe(text: string): Promise<string> }) {
  const said = async (filed: FiledRecord | undefined) => {
    const [, narrative = '', facts = ''] =
      filed === undefined || isWithheld(filed.record.id) ? [] : textsOf(filed.record);
    return Promise.all([narrative, ...facts.split('\n')].filter((text) => text.trim() !== '').map(safe));
  };
  return {
    of: <T extends Item>(items: T[], { byId }: RecordSet) =>
      Promise.all(items.map(async (one) => ({ ...one, texts: await said(byId.get(one.id)) }))),
    async edits(base: RecordSet, head: RecordSet, item: (filed: FiledRecord) => Item) {
      const edited: MemoryDiff['edited'] = [];
      for (const filed of head.records) {
        const earlier = base.byId.get(filed.record.id);
        const edits = earlier === undefined ? [] : editsOf(earlier, filed);
        if (edits.length === 0) continue;
        const changes = edits.map(({ field }) => field);
        const shown = isWithheld(filed.record.id) ? [] : edits;
        const safely = shown.map(async ({ field, before, after }) => {
          return { field, before: await safe(before), after: await safe(after) };
        });
        edited.push({ ...item(filed), changes, edits: await Promise.all(safely) });
      }
      return edited;
    },
  };
}

/** Longest previous text shown for a file of `.memory/`, in characters; beyond that only its current text is shown. */
const SHORT = 300;

/** Changed files that are not records; for edited ones the lines that differ, without comments. */
async function otherFiles(before: MemoryTree, after: MemoryTree, { safe }: { safe(text: string): Promise<string> }) {
  const changed: MemoryDiff['other_files'] = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [was, is] = [before.get(path), after.get(path)];
    if (isRecordPath(path) || (was?.blob === is?.blob && was?.kind === is?.kind)) continue;
    const change = was === undefined ? 'added' : is === undefined ? 'deleted' : 'edited';
    const [old = [], now = []] = [was, is].map((file) => (file?.bytes?.toString('utf8') ?? '').split('\n'));
    const only = (some: string[], others: string[]) =>
      change === 'edited'
        ? safe(some.filter((line) => !line.startsWith('# ') && !others.includes(line)).join('\n'))
        : '';
    const gone = await only(old, now);
    const shown = gone.length > SHORT ? '' : gone;
    changed.push({ path: await safe(path), change, before: shown, after: await only(now, old) });
  }
  return changed;
}
