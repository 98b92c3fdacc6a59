import * as z from 'zod/mini';
import { GitMemError } from '../../errors.ts';
import { jsonIn } from '../../json.ts';
import { wholeSeconds } from '../../memory/file-name.ts';
import { isId } from '../../memory/id.ts';
import {
  ASKED,
  type Generated,
  KINDS,
  MARK_TYPES,
  type Mark,
  type MemoryRecord,
  type Observation,
  SESSION_STOPS,
  type Summary,
  type YamlValue,
} from '../../memory/record.ts';
import type { BroughtRecord } from './importer.ts';

const text = z.nullish(z.string());
const texts = z.nullish(z.array(z.string()));
const count = z.nullish(z.int().check(z.nonnegative()));
const counts = z.nullish(z.array(z.int().check(z.nonnegative())));

/** The JSON shape of records, as in every `--json`; fields that other tools lack are optional. */
const shape = z.object({
  id: z.nullish(z.union([z.string(), z.number()])),
  kind: z.nullish(z.enum(KINDS)),
  type: text,
  title: text,
  subtitle: text,
  narrative: text,
  facts: texts,
  concepts: texts,
  files_read: texts,
  files_modified: texts,
  files_edited: texts,
  anchors: z.nullish(z.record(z.string(), z.string())),
  supersedes: texts,
  request: text,
  investigated: text,
  learned: text,
  completed: text,
  next_steps: text,
  notes: text,
  targets: texts,
  by: text,
  hashed_with: text,
  hashes: texts,
  guards: texts,
  asks: text,
  reason: text,
  text,
  session: text,
  prompt_number: count,
  branch: text,
  commit: text,
  created: z.nullish(z.union([z.string(), z.number()])),
  generated_by: text,
  generated_name: text,
  extractor: text,
  discovery_tokens: count,
  started: text,
  stopped: text,
  commits: texts,
  checked: counts,
  taken_back: counts,
  extra: z.nullish(z.record(z.string(), z.unknown())),
});

type Line = z.infer<typeof shape>;

/** Parses one line; throws bad-input if it is not a record. `now` dates a record without a time. */
export function readRecordLine(line: string, now: Date): BroughtRecord {
  const value = jsonIn(line);
  if (value === undefined) throw new GitMemError('bad-input', 'The line is not JSON.');
  const result = shape.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    const key = issue?.path.join('.');
    const wanted = issue !== undefined && 'expected' in issue ? `, which should be of type ${issue.expected}` : '';
    throw new GitMemError('bad-input', `${key ? `"${key}"` : 'The line'} is not as expected${wanted}.`);
  }
  const given = result.data;
  const isOurs = typeof given.generated_by === 'string' && Boolean(given.kind) && isId(String(given.id));
  const at = given.created ?? now.toISOString();
  return {
    record: recordOf(given, {
      by: given.generated_by ?? 'import',
      ...(given.generated_name && { name: given.generated_name }),
      at: isOurs ? String(at) : instantOf(at),
    }),
    isDated: given.created !== undefined && given.created !== null,
    isAnchored: given.anchors !== undefined && given.anchors !== null,
    isOurs,
  };
}

function recordOf(given: Line, generated: Generated): MemoryRecord {
  const common = {
    id: String(given.id ?? ''),
    generated,
    ...(given.session && { session: given.session }),
    ...(typeof given.prompt_number === 'number' && { prompt_number: given.prompt_number }),
    ...(given.branch && { branch: given.branch }),
    ...(given.commit && { commit: given.commit }),
    ...(given.extra && { extra: extraOf(given.extra) }),
  };
  const kind = given.kind ?? (given.type === 'summary' ? 'summary' : 'observation');
  switch (kind) {
    case 'observation':
      return { ...common, ...captured(given), ...observationIn(given) };
    case 'summary':
      return { ...common, ...captured(given), ...summaryIn(given) };
    case 'mark':
      return { ...common, ...markIn(given) };
    case 'prompt':
      if (typeof given.text !== 'string') throw missing('text');
      return { ...common, kind, text: given.text };
    default:
      return kind satisfies never;
  }
}

function captured({ extractor, discovery_tokens }: Line) {
  return { ...(extractor && { extractor }), ...(typeof discovery_tokens === 'number' && { discovery_tokens }) };
}

type Own<R extends MemoryRecord> = Omit<R, 'id' | 'generated'>;

function observationIn(given: Line): Own<Observation> {
  const { title, narrative } = given;
  if (!title?.trim() && !narrative?.trim()) throw missing('title');
  return {
    kind: 'observation',
    type: given.type?.trim() || 'change',
    title: title ?? '',
    ...(given.subtitle && { subtitle: given.subtitle }),
    concepts: given.concepts ?? [],
    supersedes: given.supersedes ?? [],
    anchors: given.anchors ?? {},
    files_modified: given.files_modified ?? given.files_edited ?? [],
    files_read: given.files_read ?? [],
    narrative: narrative ?? '',
    facts: given.facts ?? [],
  };
}

function summaryIn(given: Line): Own<Summary> {
  const { request, investigated, learned, completed, next_steps, notes, title } = given;
  const sections = [request, investigated, learned, completed, next_steps, notes];
  if (!title?.trim() && !sections.some((section) => section?.trim())) throw missing('title');
  return {
    kind: 'summary',
    type: given.type === 'digest' ? 'digest' : 'summary',
    title: title ?? '',
    ...spanOf(given),
    supersedes: given.supersedes ?? [],
    files_read: given.files_read ?? [],
    files_edited: given.files_edited ?? given.files_modified ?? [],
    request: request ?? '',
    investigated: investigated ?? '',
    learned: learned ?? '',
    completed: completed ?? '',
    next_steps: next_steps ?? '',
    notes: notes ?? '',
  };
}

function markIn(given: Line): Own<Mark> {
  const type = MARK_TYPES.find((known) => known === given.type);
  if (type === undefined) throw missing('type', `is none of ${MARK_TYPES.join(', ')}`);
  const targets = given.targets ?? [];
  if (targets.length === 0) throw missing('targets');
  if (type === 'supersede' && !given.by) throw missing('by');
  const { by, hashed_with, hashes, guards, anchors, reason } = given;
  const asks = ASKED.find((known) => known === given.asks);
  return {
    kind: 'mark',
    type,
    targets,
    ...(by && { by }),
    ...(hashed_with && { hashed_with }),
    ...(hashes && { hashes }),
    ...(guards && { guards }),
    ...(anchors && { anchors }),
    ...(asks && { asks }),
    reason: reason ?? '',
  };
}

/** The session that a digest is about. */
function spanOf({ started, stopped, commits, checked, taken_back }: Line) {
  const how = SESSION_STOPS.find((known) => known === stopped);
  return {
    ...(started && { started }),
    ...(how && { stopped: how }),
    ...(commits && { commits }),
    ...(checked && { checked }),
    ...(taken_back && { taken_back }),
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

/** No real front matter is nested deeper than this. */
const DEEPEST = 20;

function yamlOf(value: unknown, depth = 0): YamlValue {
  if (depth > DEEPEST) return '';
  if (Array.isArray(value)) return value.map((item) => yamlOf(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, yamlOf(entry, depth + 1)]));
  }
  return value === null || value === undefined ? '' : String(value);
}
