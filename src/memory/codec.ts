import {
  type BodyReader,
  emptySummary,
  joinObservation,
  joinSummary,
  type SummaryBody,
  splitObservation,
  splitSummary,
} from './body.ts';
import { canonical } from './canonical.ts';
import { parseFileName } from './file-name.ts';
import { newerFormat, tooNew } from './format.ts';
import { flow, joinFrontMatter, quoted, splitFrontMatter } from './front-matter.ts';
import { FrontMatterFields } from './front-matter-fields.ts';
import { isId } from './id.ts';
import {
  ASKED,
  type Asked,
  block,
  type Generated,
  isContent,
  KINDS,
  type Kind,
  MARK_TYPES,
  type Mark,
  type MarkType,
  type MemoryRecord,
  type Observation,
  SESSION_STOPS,
  type SessionStop,
  SUMMARY_TYPES,
  type Summary,
  type SummaryType,
  type YamlValue,
} from './record.ts';

/** The file of a record: front matter with a fixed key order, then the body. The same record gives the same bytes. */
export function encode(record: MemoryRecord): string {
  const fields = new FrontMatterLines();
  fields.text('id', record.id);
  fields.word('kind', record.kind);
  switch (record.kind) {
    case 'observation':
      fields.word('type', record.type);
      fields.text('title', record.title);
      fields.text('subtitle', record.subtitle);
      fields.list('concepts', record.concepts);
      fields.list('files_modified', record.files_modified);
      fields.list('files_read', record.files_read);
      fields.map('anchors', record.anchors);
      fields.list('supersedes', record.supersedes);
      break;
    case 'summary':
      fields.word('type', record.type);
      fields.text('title', record.title);
      fields.list('files_read', record.files_read);
      fields.list('files_edited', record.files_edited);
      fields.list('supersedes', record.supersedes);
      fields.text('started', record.started);
      fields.text('stopped', record.stopped);
      fields.list('commits', record.commits ?? []);
      fields.list('checked', (record.checked ?? []).map(String));
      fields.list('taken_back', (record.taken_back ?? []).map(String));
      break;
    case 'mark':
      fields.word('type', record.type);
      fields.list('targets', record.targets);
      fields.text('by', record.by);
      fields.text('hashed_with', record.hashed_with);
      fields.list('hashes', record.hashes ?? []);
      fields.list('guards', record.guards ?? []);
      fields.text('asks', record.asks);
      fields.map('anchors', record.anchors ?? {});
      break;
    case 'prompt':
      break;
    default:
      return record satisfies never;
  }
  fields.text('session', record.session);
  fields.number('prompt_number', record.prompt_number);
  fields.text('branch', record.branch);
  fields.text('commit', record.commit);
  fields.raw('generated', generatedText(record.generated));
  if (isContent(record)) {
    fields.text('extractor', record.extractor);
    fields.number('discovery_tokens', record.discovery_tokens);
  }
  for (const [key, value] of Object.entries(record.extra ?? {})) fields.raw(keyText(key), flow(value));
  return joinFrontMatter(fields.lines, bodyOf(record));
}

/**
 * Reads a record's file. `path` is for error messages and, if the front matter lacks them, gives the id and time;
 * `reader` reads bodies that are not in the shape git-mem writes. From a newer format it takes the keys that it knows.
 * Throws bad-record, or newer-format.
 */
export function decode(text: string, path: string, reader?: BodyReader): MemoryRecord {
  const { data, body } = splitFrontMatter(text, path);
  try {
    return recordOf(data, body, path, reader);
  } catch (error) {
    const format = newerFormat(data.format);
    throw format === undefined ? error : tooNew(path, format, error);
  }
}

function recordOf(data: Record<string, YamlValue>, body: string, path: string, reader?: BodyReader): MemoryRecord {
  const fields = new FrontMatterFields(data, path);
  const name = parseFileName(path);
  const id = fields.line('id') ?? name?.id ?? '';
  if (!isId(id)) {
    throw fields.wrong('id', 'ten characters of 0-9 and a-z without i, l, o, u', '"k3v9x2qd7m"', id || undefined);
  }
  const kind = fields.oneOf<Kind>('kind', KINDS) ?? 'observation';
  const generated = fields.entries('generated');
  const common = {
    id,
    generated: {
      by: generated.by ?? 'unknown',
      ...(generated.name && { name: generated.name }),
      at: generated.at ?? name?.time ?? '',
    },
    ...fields.optionalLine('session'),
    ...fields.optionalNumber('prompt_number'),
    ...fields.optionalLine('branch'),
    ...fields.optionalLine('commit'),
  };
  const known = { ...common, ...ownFields(kind, fields, body, reader) };
  // Read last: they are what no other field took.
  return canonical({ ...known, ...fields.rest() });
}

type Own<R extends MemoryRecord> = Omit<R, 'id' | 'generated'>;

/** What a record of this kind has besides what all have. */
function ownFields(kind: Kind, fields: FrontMatterFields, body: string, reader?: BodyReader) {
  switch (kind) {
    case 'observation':
      return observationFields(fields, body, reader);
    case 'summary':
      return summaryFields(fields, body, reader);
    case 'mark':
      return markFields(fields, body);
    case 'prompt':
      return { kind, text: block(body) };
    default:
      return kind satisfies never;
  }
}

function observationFields(fields: FrontMatterFields, body: string, reader?: BodyReader): Own<Observation> {
  const parts = splitObservation(body) ?? reader?.observation(body) ?? { narrative: block(body), facts: [] };
  return {
    kind: 'observation',
    type: fields.line('type') ?? 'change',
    title: fields.line('title') ?? '',
    ...fields.optionalLine('subtitle'),
    concepts: fields.list('concepts'),
    files_modified: fields.list('files_modified'),
    files_read: fields.list('files_read'),
    anchors: fields.entries('anchors'),
    supersedes: fields.list('supersedes'),
    ...fields.optionalLine('extractor'),
    ...fields.optionalNumber('discovery_tokens'),
    ...parts,
  };
}

function summaryFields(fields: FrontMatterFields, body: string, reader?: BodyReader): Own<Summary> {
  const parts: SummaryBody = splitSummary(body) ?? reader?.summary(body) ?? { ...emptySummary(), notes: block(body) };
  const stopped = fields.oneOf<SessionStop>('stopped', SESSION_STOPS);
  return {
    kind: 'summary',
    type: fields.oneOf<SummaryType>('type', SUMMARY_TYPES) ?? 'summary',
    title: fields.line('title') ?? '',
    files_read: fields.list('files_read'),
    files_edited: fields.list('files_edited'),
    supersedes: fields.list('supersedes'),
    ...fields.optionalLine('extractor'),
    ...fields.optionalNumber('discovery_tokens'),
    ...fields.optionalLine('started'),
    ...(stopped && { stopped }),
    commits: fields.list('commits'),
    checked: fields.list('checked').map(Number),
    taken_back: fields.list('taken_back').map(Number),
    ...parts,
  };
}

function markFields(fields: FrontMatterFields, body: string): Own<Mark> {
  const type = fields.oneOf<MarkType>('type', MARK_TYPES);
  if (type === undefined) throw fields.wrong('type', MARK_TYPES.join(', '), 'retire');
  const targets = fields.list('targets');
  if (targets.length === 0) throw fields.wrong('targets', 'at least one id', '["k3v9x2qd7m"]');
  const by = fields.optionalLine('by');
  if (type === 'supersede' && by.by === undefined) throw fields.wrong('by', 'the replacing id', '"7h2c9d4e1f"');
  const asks = fields.oneOf<Asked>('asks', ASKED);
  return {
    kind: 'mark',
    type,
    targets,
    ...by,
    ...fields.optionalLine('hashed_with'),
    hashes: fields.list('hashes'),
    guards: fields.list('guards'),
    ...(asks && { asks }),
    anchors: fields.entries('anchors'),
    reason: block(body),
  };
}

function bodyOf(record: MemoryRecord): string {
  switch (record.kind) {
    case 'observation':
      return joinObservation(record);
    case 'summary':
      return joinSummary(record);
    case 'mark':
      return record.reason;
    case 'prompt':
      return record.text;
    default:
      return record satisfies never;
  }
}

function generatedText({ by, name, at }: Generated): string {
  return `{by: ${quoted(by)}, ${name === undefined ? '' : `name: ${quoted(name)}, `}at: ${quoted(at)}}`;
}

const PLAIN_WORD = /^[a-z][a-z0-9_-]*$/;
const YAML_WORDS = new Set(['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n']);

function keyText(key: string): string {
  return PLAIN_WORD.test(key) && !YAML_WORDS.has(key) ? key : quoted(key);
}

class FrontMatterLines {
  readonly lines: string[] = [];

  raw(key: string, value: string): void {
    this.lines.push(`${key}: ${value}`);
  }
  word(key: string, value: string): void {
    this.raw(key, PLAIN_WORD.test(value) && !YAML_WORDS.has(value) ? value : quoted(value));
  }
  text(key: string, value: string | undefined): void {
    if (value !== undefined) this.raw(key, quoted(value));
  }
  number(key: string, value: number | undefined): void {
    if (value !== undefined) this.raw(key, String(value));
  }
  list(key: string, values: string[]): void {
    if (values.length > 0) this.raw(key, flow(values));
  }
  map(key: string, values: Record<string, string>): void {
    if (Object.keys(values).length > 0) this.raw(key, flow(values));
  }
}
