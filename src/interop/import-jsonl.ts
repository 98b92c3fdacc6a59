import { isAbsolute, normalize } from 'node:path';
import { type ErrorCode, GitMemError } from '../errors.ts';
import { decode, encode } from '../memory/codec.ts';
import { storePath, wholeSeconds } from '../memory/file-name.ts';
import { idOf, isId } from '../memory/id.ts';
import { canonical, type Kind, type MemoryRecord, type StoreName } from '../memory/record.ts';
import type { Workspace } from '../store/workspace.ts';
import type { Cleaner } from '../worker/clean.ts';
import { cleanRecord, limited } from '../worker/clean-record.ts';
import { standingRedactions } from '../worker/redactions.ts';
import { anchorsOf } from '../worker/save.ts';
import { type BroughtRecord, readRecordLine } from './record-line.ts';

export interface ImportReport {
  imported: number;
  /** Records that were there already. */
  skipped: number;
  /** Lines that are no records; the others were imported. */
  problems: { line: number; id: string | null; code: ErrorCode; message: string }[];
}

/** Longest line that is read, and longest file that becomes of one, in UTF-16 units. */
const MAX_LINE = 8_000_000;
const MAX_FILE = 1_000_000;

/** Records that are written together. */
const BATCH = 500;

/** What is known of a record with some id: enough to tell it from another one that was given the same id. */
interface Known {
  kind: Kind;
  /** ISO 8601, UTC, whole seconds. */
  time: string;
}

interface Arrival extends BroughtRecord {
  line: number;
  /** The id that the line has. */
  id: string;
}

/**
 * Imports records in the JSON shape, one a line. A valid id that is free is kept; where it is taken by another record, or
 * is none of ours, the record gets one over its content, and what refers to it within the file follows. Importing twice
 * imports once. With `dryRun` nothing is written and the report is the same.
 */
export async function importJsonl(
  lines: AsyncIterable<string> | Iterable<string>,
  options: { workspace: Workspace; store: StoreName; cleaner: Cleaner; now: Date; dryRun?: boolean },
): Promise<ImportReport> {
  const { workspace, cleaner, now, dryRun = false } = options;
  const redactions = await standingRedactions(workspace);
  const report: ImportReport = { imported: 0, skipped: 0, problems: [] };
  const known = knownRecords(workspace);
  const renamed = new Map<string, string>();
  const accepted: Arrival[] = [];

  for await (const arrival of arrivals(lines, now, report)) {
    // All are looked at before any is written, because a record may refer to a later one.
    const id = freeId(arrival, known, renamed);
    if (id === undefined) report.skipped++;
    else accepted.push({ ...arrival, record: { ...arrival.record, id } });
  }

  const batches: Record<StoreName, MemoryRecord[]> = { team: [], private: [] };
  const flush = (store: StoreName) => {
    if (!dryRun) workspace.stores[store].putNew(batches[store]);
    report.imported += batches[store].length;
    batches[store] = [];
  };
  for (const arrival of accepted) {
    const record = await finished(arrival);
    if (record === undefined) continue;
    // Prompts are the private store's, whoever imports them.
    const store = record.kind === 'prompt' ? 'private' : options.store;
    if (batches[store].push(record) >= BATCH) flush(store);
  }
  flush('team');
  flush('private');
  return report;

  async function finished({ record, line, id, isAnchored, isOurs }: Arrival): Promise<MemoryRecord | undefined> {
    try {
      const clean = await cleanRecord(withReferences(record, renamed, isOurs), cleaner);
      const whole = canonical(isAnchored ? clean : anchored(clean, workspace));
      const final = canonical(isOurs ? whole : limited(whole));
      const file = encode(final);
      if (file.length > MAX_FILE) throw new GitMemError('bad-input', `The record has ${file.length} characters.`);
      // What could not be read back is not written.
      decode(file, storePath(final));
      redactions.refuse(final);
      return final;
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error;
      report.problems.push({ line, id: id || null, code: error.code, message: error.message });
      return undefined;
    }
  }
}

async function* arrivals(
  lines: AsyncIterable<string> | Iterable<string>,
  now: Date,
  report: ImportReport,
): AsyncGenerator<Arrival> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    try {
      if (line.length > MAX_LINE) throw new GitMemError('bad-input', `The line has ${line.length} characters.`);
      const brought = readRecordLine(number === 1 ? line.replace(/^\ufeff/, '') : line, now);
      yield { ...brought, line: number, id: brought.record.id };
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error;
      report.problems.push({ line: number, id: null, code: error.code, message: error.message });
    }
  }
}

function knownRecords({ stores }: Workspace): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const store of [stores.private, stores.team]) {
    for (const { id, kind, time } of store.newest()) known.set(id, { kind, time });
  }
  return known;
}

/** The id under which the record is new; undefined when it is there. Notes it, and that others know it by another. */
function freeId(arrival: Arrival, known: Map<string, Known>, renamed: Map<string, string>): string | undefined {
  const { record, id, isDated } = arrival;
  const self = { kind: record.kind, time: wholeSeconds(record.generated.at) };
  const isSame = (other: Known) => other.kind === self.kind && (!isDated || other.time === self.time);
  const holder = isId(id) ? known.get(id) : undefined;
  if (holder !== undefined && isSame(holder)) return undefined;
  if (isId(id) && holder === undefined) {
    known.set(id, self);
    return id;
  }
  const given = isDated ? record : { ...record, generated: { ...record.generated, at: '' } };
  const own = idOf('import', JSON.stringify(given));
  if (id !== '') renamed.set(id, own);
  if (known.has(own)) return undefined;
  known.set(own, self);
  return own;
}

/** The record with the ids that the others have now; what is no id names nothing here, unless it always did. */
function withReferences(record: MemoryRecord, renamed: Map<string, string>, isOurs: boolean): MemoryRecord {
  const follow = (ids: string[]) => ids.map((id) => renamed.get(id) ?? id);
  switch (record.kind) {
    case 'observation':
    case 'summary':
      return { ...record, supersedes: follow(record.supersedes).filter((id) => isOurs || isId(id)) };
    case 'mark':
      return {
        ...record,
        targets: follow(record.targets),
        ...(record.by !== undefined && { by: renamed.get(record.by) ?? record.by }),
      };
    case 'prompt':
      return record;
    default:
      return record satisfies never;
  }
}

/** With the cited files as they are here and now. */
function anchored(record: MemoryRecord, { checkout, format }: Workspace): MemoryRecord {
  if (record.kind !== 'observation') return record;
  const paths = [...record.files_modified, ...record.files_read].filter(
    (path) => !isAbsolute(path) && !normalize(path).startsWith('..'),
  );
  return { ...record, anchors: anchorsOf(checkout.root, paths, format) };
}
