import { isAbsolute, normalize } from 'node:path';
import { cleanRecord } from '../../capture/by-hand/clean-record.ts';
import type { Cleaner } from '../../capture/drain/clean.ts';
import { cleanedHere } from '../../capture/drain/local-paths.ts';
import { type ErrorCode, GitMemError } from '../../errors.ts';
import { canonical } from '../../memory/canonical.ts';
import { decode } from '../../memory/codec.ts';
import { isId } from '../../memory/id.ts';
import { isContent, type MemoryRecord, type StoreName } from '../../memory/record.ts';
import { MAX_RECORD_BYTES, MAX_SCANNED_TEXT } from '../../memory/size.ts';
import { type RecordFile, recordFile } from '../../memory/store/store.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { sanitiseForTerminal } from '../../privacy/sanitise.ts';
import { findSuspicious } from '../../privacy/suspicious.ts';
import { activeRedactions } from '../../provenance/redactions.ts';
import { anchorsOf } from '../../provenance/working-file.ts';
import { type Identified, identification } from './identity.ts';
import type { Arrival } from './importer.ts';
import { titled } from './importer.ts';

export interface ImportReport {
  imported: number;
  /** Records that already existed, or whose earlier import was retired or redacted. */
  skipped: number;
  /** Parts that are not records, with their lines or names; the others were imported. */
  problems: { line?: number; place?: string; id: string | null; code: ErrorCode; message: string }[];
  /** Imported records whose text reads as if it were written for a model. */
  suspicious?: { id: string; code: string }[];
}

export interface BringOptions {
  workspace: Workspace;
  store: StoreName;
  cleaner: Cleaner;
  now: Date;
  dryRun?: boolean;
  withoutPrompts?: boolean;
  /** Called now and then; `all` is unknown while the source is still being read. */
  onProgress?: (done: number, all: number | undefined) => void;
}

/** Records per write, which bounds the bytes in memory. */
const BATCH = 500;

/** Imports what arrives; idempotent. With `dryRun` nothing is written and the report is the same. */
export async function bringIn(
  arrivals: AsyncIterable<Arrival> | Iterable<Arrival>,
  options: BringOptions,
): Promise<ImportReport> {
  const { workspace, dryRun = false, onProgress } = options;
  const report: ImportReport = { imported: 0, skipped: 0, problems: [] };
  const identities = identification(workspace);
  const accepted: Identified[] = [];

  for await (const arrival of arrivals) {
    if (arrival.kind === 'problem') {
      const { at, code, message } = arrival;
      report.problems.push({ ...at, id: null, code, message });
    } else if (!(options.withoutPrompts && arrival.brought.record.kind === 'prompt')) {
      // All are identified before any is written, because a record may refer to a later one.
      const identified = await identities.identify(arrival);
      if (identified === undefined) report.skipped++;
      else accepted.push(identified);
      onProgress?.(accepted.length, undefined);
    }
  }

  const finish = await finisher(options, identities.renamed);
  const batches: Record<StoreName, RecordFile[]> = { team: [], private: [] };
  const flush = async (store: StoreName) => {
    if (!dryRun) await workspace.stores[store].putNew(batches[store]);
    report.imported += batches[store].length;
    batches[store] = [];
  };
  for (const [i, identified] of accepted.entries()) {
    onProgress?.(i, accepted.length);
    const { file, isForeign } = await finish(identified, report);
    if (file === undefined) continue;
    if (isForeign) remark(file, report);
    const store = file.record.kind === 'prompt' ? 'private' : options.store;
    if (batches[store].push(file) >= BATCH) await flush(store);
  }
  await flush('team');
  await flush('private');
  return report;
}

/** Turns an accepted record into the file to write, or into a problem. */
async function finisher({ workspace, ...options }: BringOptions, renamed: ReadonlyMap<string, string>) {
  const cleaner = cleanedHere(options.cleaner, workspace);
  const redactions = await activeRedactions(workspace);
  // Text that another tool stored was never checked: hidden and direction characters are removed before the search for
  // secrets.
  const strict: Cleaner = { ...cleaner, text: (text) => cleaner.text(sanitiseForTerminal(text)) };

  return async ({ record, at, id, origin, isAnchored, isOurs }: Identified, report: ImportReport) => {
    const isForeign = origin !== undefined && !isOurs;
    try {
      refuseLongTexts(record);
      const clean = await cleanRecord(withReferences(record, renamed, isOurs), isForeign ? strict : cleaner);
      const whole = isAnchored ? clean : anchored(clean, workspace);
      const file = recordFile(isOurs || isForeign ? whole : shortlyTitled(canonical(whole)));
      const { length } = file.bytes;
      if (length > MAX_RECORD_BYTES) {
        throw new GitMemError('bad-input', `The record has ${length} bytes, more than ${MAX_RECORD_BYTES}.`);
      }
      // A file that could not be read back is not written.
      decode(file.bytes.toString(), file.path);
      redactions.refuse(file.record);
      return { file, isForeign };
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error;
      report.problems.push({ ...at, id: id || null, code: error.code, message: error.message });
      return { file: undefined, isForeign };
    }
  };
}

function refuseLongTexts(record: MemoryRecord): void {
  for (const [key, value] of Object.entries(record)) {
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    const long = texts.find((text) => typeof text === 'string' && text.length > MAX_SCANNED_TEXT);
    if (typeof long !== 'string') continue;
    throw new GitMemError('bad-input', `"${key}" has ${long.length} characters, more than ${MAX_SCANNED_TEXT}.`);
  }
}

/** The record with a one-phrase title; the full title moves before its text. Nothing else is too long to keep. */
function shortlyTitled(record: MemoryRecord): MemoryRecord {
  if (record.kind === 'observation') return { ...record, ...titled(record.title, record.narrative) };
  if (record.kind !== 'summary') return record;
  const { title, narrative: request } = titled(record.title, record.request);
  return { ...record, title, request };
}

function remark({ record, bytes }: RecordFile, report: ImportReport): void {
  const [suspicion] = record.kind === 'prompt' ? [] : findSuspicious(bytes.toString());
  if (suspicion === undefined) return;
  report.suspicious ??= [];
  report.suspicious.push({ id: record.id, code: suspicion.code });
}

/** The record with the current ids of the others; invalid ids are dropped, unless the record is our own export. */
function withReferences(record: MemoryRecord, renamed: ReadonlyMap<string, string>, isOurs: boolean): MemoryRecord {
  const follow = (ids: string[]) => ids.map((id) => renamed.get(id) ?? id);
  if (isContent(record)) {
    return { ...record, supersedes: follow(record.supersedes).filter((id) => isOurs || isId(id)) };
  }
  if (record.kind === 'prompt') return record;
  const [by] = record.by === undefined ? [] : follow([record.by]);
  return { ...record, targets: follow(record.targets), ...(by !== undefined && { by }) };
}

/** With the cited files as they are here and now. */
function anchored(record: MemoryRecord, { checkout, format }: Workspace): MemoryRecord {
  if (record.kind !== 'observation') return record;
  const paths = [...record.files_modified, ...record.files_read].filter(
    (path) => !isAbsolute(path) && !normalize(path).startsWith('..'),
  );
  return { ...record, anchors: anchorsOf(checkout.root, paths, format) };
}
