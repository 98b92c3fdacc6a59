import * as z from 'zod/mini';
import { GitMemError } from '../errors.ts';
import { isObject, jsonIn } from '../json.ts';
import { emptySummary, sections, sectionsOf } from '../memory/body.ts';
import { encode } from '../memory/codec.ts';
import { wholeSeconds } from '../memory/file-name.ts';
import { isId } from '../memory/id.ts';
import type { Generated, Mark, MemoryRecord, Observation, StoreName, Summary, YamlValue } from '../memory/record.ts';
import { ASKED, KINDS, MARK_TYPES, SESSION_STOPS } from '../memory/record.ts';
import { MAX_RECORD_BYTES } from '../memory/size.ts';
import { visibleJson } from '../privacy/sanitise.ts';
import { type Annotated, tokensOf } from '../records/annotate.ts';
import { type RecordView, viewOf } from '../records/view.ts';
import type { Arrival, BroughtRecord } from './import/importer.ts';

/** Longest line that is read, in UTF-16 units: the largest record fits, even where JSON needs six per byte. */
const MAX_LINE = 8 * MAX_RECORD_BYTES;

/** The records of lines in the JSON shape, one each; `now` dates those without a time. */
export async function* jsonlArrivals(
  lines: AsyncIterable<string> | Iterable<string>,
  now: Date,
): AsyncGenerator<Arrival> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const at = { line: number };
    try {
      if (line.length > MAX_LINE) throw new GitMemError('bad-input', `The line has ${line.length} characters.`);
      yield { kind: 'record', at, brought: readRecordLine(number === 1 ? line.replace(/^\ufeff/, '') : line, now) };
    } catch (error) {
      if (!(error instanceof GitMemError)) throw error;
      yield { kind: 'problem', at, code: error.code, message: error.message };
    }
  }
}

const texts = z.optional(z.array(z.string()));
const count = z.optional(z.int().check(z.nonnegative()));

/** Fields of one schema, by their names. */
function each<K extends string, S>(schema: S, names: readonly K[]): Record<K, S> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>;
}

/** The JSON shape of records, as in every `--json`, without the fields that are null: other tools lack many. */
const shape = z.object({
  ...each(z.optional(z.string()), [
    ...(['type', 'title', 'subtitle', 'narrative', 'text', 'session', 'branch', 'commit', 'trust'] as const),
    ...(['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes', 'started', 'stopped'] as const),
    ...(['by', 'hashed_with', 'asks', 'reason', 'generated_by', 'generated_name', 'extractor'] as const),
  ]),
  ...each(texts, [
    ...(['facts', 'concepts', 'files_read', 'files_modified', 'files_edited', 'supersedes'] as const),
    ...(['targets', 'hashes', 'guards', 'inputs', 'commits'] as const),
  ]),
  prompt_number: count,
  discovery_tokens: count,
  id: z.optional(z.union([z.string(), z.number()])),
  kind: z.optional(z.enum(KINDS)),
  anchors: z.optional(z.record(z.string(), z.string())),
  created: z.optional(z.union([z.string(), z.number()])),
  extra: z.optional(z.record(z.string(), z.unknown())),
});

type Line = z.infer<typeof shape>;

/** Parses one line; throws bad-input if it is not a record. `now` dates a record without a time. */
function readRecordLine(line: string, now: Date): BroughtRecord {
  const value = jsonIn(line);
  if (value === undefined) throw new GitMemError('bad-input', 'The line is not JSON.');
  const isGiven = ([, entry]: [string, unknown]) => entry !== null;
  const result = shape.safeParse(isObject(value) ? Object.fromEntries(Object.entries(value).filter(isGiven)) : value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const key = issue?.path.join('.');
    const wanted = issue !== undefined && 'expected' in issue ? `, which should be of type ${issue.expected}` : '';
    throw new GitMemError('bad-input', `${key ? `"${key}"` : 'The line'} is not as expected${wanted}.`);
  }
  const given = result.data;
  if (given.trust === 'unreviewed' || given.trust === 'edited')
    throw new GitMemError(
      'bad-input',
      'It was not reviewed where it was exported; accept it there with `git mem trust`.',
    );
  const isOurs = given.generated_by !== undefined && given.kind !== undefined && isId(String(given.id));
  const at = given.created ?? now.toISOString();
  return {
    record: recordOf(given, {
      by: given.generated_by ?? 'import',
      ...(given.generated_name && { name: given.generated_name }),
      at: isOurs ? String(at) : instantOf(at),
    }),
    isDated: given.created !== undefined,
    // Today's anchors would make an old record look fresh.
    isAnchored: true,
    isOurs,
  };
}

function recordOf(given: Line, generated: Generated): MemoryRecord {
  const common = {
    id: String(given.id ?? ''),
    generated,
    ...picked(given, 'session', 'prompt_number', 'branch', 'commit'),
    ...(given.extra && { extra: extraOf(given.extra) }),
  };
  const kind = given.kind ?? (given.type === 'summary' ? 'summary' : 'observation');
  switch (kind) {
    case 'observation':
      return { ...common, ...picked(given, 'extractor', 'inputs', 'discovery_tokens'), ...observationIn(given) };
    case 'summary':
      return { ...common, ...picked(given, 'extractor', 'inputs', 'discovery_tokens'), ...summaryIn(given) };
    case 'mark':
      return { ...common, ...markIn(given) };
    case 'prompt':
      if (given.text === undefined) throw missing('text');
      return { ...common, kind, text: given.text };
    default:
      return kind satisfies never;
  }
}

/** The fields among these that are given and not empty text. */
function picked<K extends keyof Line>(given: Line, ...keys: K[]): { [Key in K]?: NonNullable<Line[Key]> } {
  const entries = keys.map((key) => [key, given[key]] as const);
  const found = entries.filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(found) as { [Key in K]?: NonNullable<Line[Key]> };
}

type Own<R extends MemoryRecord> = Omit<R, 'id' | 'generated'>;

function observationIn(given: Line): Own<Observation> {
  const { title = '', narrative = '', concepts = [], supersedes = [], anchors = {} } = given;
  if (title.trim() === '' && narrative.trim() === '') throw missing('title');
  return {
    kind: 'observation',
    type: given.type?.trim() || 'change',
    title,
    ...picked(given, 'subtitle'),
    concepts,
    supersedes,
    anchors,
    files_modified: given.files_modified ?? given.files_edited ?? [],
    files_read: given.files_read ?? [],
    narrative,
    facts: given.facts ?? [],
  };
}

function summaryIn(given: Line): Own<Summary> {
  const { title = '', supersedes = [], files_read = [] } = given;
  const texts = sectionsOf({ ...emptySummary(), ...picked(given, ...sections().map(([key]) => key)) });
  if ([title, ...Object.values(texts)].every((text) => text.trim() === '')) throw missing('title');
  const stopped = SESSION_STOPS.find((known) => known === given.stopped);
  return {
    kind: 'summary',
    type: given.type === 'digest' ? 'digest' : 'summary',
    title,
    // For a digest: its session.
    ...picked(given, 'started'),
    ...(stopped && { stopped }),
    ...picked(given, 'commits'),
    supersedes,
    files_read,
    files_edited: given.files_edited ?? given.files_modified ?? [],
    ...texts,
  };
}

function markIn(given: Line): Own<Mark> {
  const { targets = [], reason = '' } = given;
  const type = MARK_TYPES.find((known) => known === given.type);
  if (type === undefined) throw missing('type', `is none of ${MARK_TYPES.join(', ')}`);
  if (targets.length === 0) throw missing('targets');
  if (type === 'supersede' && !given.by) throw missing('by');
  const asks = ASKED.find((known) => known === given.asks);
  return {
    kind: 'mark',
    type,
    targets,
    ...picked(given, 'by', 'hashed_with', 'hashes', 'guards', 'anchors'),
    ...(asks && { asks }),
    reason,
  };
}

function missing(key: string, why = 'is missing'): GitMemError {
  return new GitMemError('bad-input', `"${key}" ${why}.`);
}

/** Other tools write times in their own formats, or in milliseconds. */
function instantOf(at: string | number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) throw missing('created', `is "${String(at).slice(0, 40)}", which is not a time`);
  return wholeSeconds(time);
}

/** Unknown keys in the form of front matter: every scalar is text. */
function extraOf(given: Record<string, unknown>): Record<string, YamlValue> {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, yamlOf(value)]));
}

/** Deepest nesting of an unknown key: no real front matter comes near it, and a hostile line must not overflow the stack. */
const DEEPEST = 20;

function yamlOf(value: unknown, depth = 0): YamlValue {
  if (depth > DEEPEST) return '';
  if (Array.isArray(value)) return value.map((item) => yamlOf(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, yamlOf(entry, depth + 1)]));
  }
  return value === null || value === undefined ? '' : String(value);
}

/** Records as JSON lines, one each, with everything that an import needs to recreate the same file. */
export function* exported(records: Annotated[], folders: Record<StoreName, string>): Generator<string> {
  for (const one of records) yield `${visibleJson(JSON.stringify(exportView(one, folders)))}\n`;
}

/** With the fields that lists leave out. */
function exportView(annotated: Annotated, folders: Record<StoreName, string>): RecordView {
  const { record } = annotated;
  return {
    ...viewOf(annotated, folders),
    // For the record, not the file, which a person may have formatted differently.
    read_tokens: tokensOf(encode(record)),
    ...((record.kind === 'observation' || record.kind === 'mark') && record.anchors && { anchors: record.anchors }),
    ...(record.kind === 'mark' && record.hashed_with && { hashed_with: record.hashed_with }),
    ...(record.kind === 'mark' && record.hashes && { hashes: record.hashes }),
    ...(record.extra && { extra: record.extra }),
  };
}
