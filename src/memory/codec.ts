import { type BodyReader, emptySummary, joinObservation, joinSummary, splitObservation, splitSummary } from './body.ts';
import { canonical } from './canonical.ts';
import { parseFileName } from './file-name.ts';
import { newerFormat, tooNew } from './format.ts';
import { splitFrontMatter } from './front-matter.ts';
import { FrontMatterFields } from './front-matter-fields.ts';
import { flow, joinFrontMatter, quoted } from './front-matter-lines.ts';
import { isId } from './id.ts';
import {
  block,
  type Generated,
  KINDS,
  type Kind,
  MARK_TYPES,
  type MarkType,
  type MemoryRecord,
  SUMMARY_TYPES,
  type SummaryType,
  type YamlValue,
} from './record.ts';
import { COMMON, MARK, OBSERVATION, SUMMARY } from './record-fields.ts';

/** Fields of every content that come after those about where it was made. */
const LATE = ['extractor', 'inputs', 'discovery_tokens'];

/** The file of a record: front matter with a fixed key order, then the body. The same record gives the same bytes. */
export function encode(record: MemoryRecord): string {
  const own = ownLines(record);
  const lines = [
    ['id', quoted(record.id)],
    ['kind', wordText(record.kind)],
    ...own.filter(([key]) => !LATE.includes(key)),
    ...COMMON.written(record),
    ['generated', generatedText(record.generated)],
    ...own.filter(([key]) => LATE.includes(key)),
    ...Object.entries(record.extra ?? {}).map(([key, value]) => [wordText(key), flow(value)]),
  ];
  return joinFrontMatter(
    lines.map(([key, text]) => `${key}: ${text}`),
    bodyOf(record),
  );
}

/** The keys that only this kind has, with their values as YAML. */
function ownLines(record: MemoryRecord): [key: string, text: string][] {
  switch (record.kind) {
    case 'observation':
      return [['type', wordText(record.type)], ['title', quoted(record.title)], ...OBSERVATION.written(record)];
    case 'summary':
      return [['type', wordText(record.type)], ['title', quoted(record.title)], ...SUMMARY.written(record)];
    case 'mark':
      return [['type', wordText(record.type)], ...MARK.written(record)];
    case 'prompt':
      return [];
    default:
      return record satisfies never;
  }
}

/**
 * Reads a record's file. `path` is for error messages and, if the front matter lacks them, gives the id and time;
 * `reader` reads bodies that are not in the shape git-mem writes. Of a newer format it reads the keys that it knows.
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
    ...COMMON.read(fields),
  };
  const known = { ...common, ...ownFields(kind, fields, body, reader) };
  // Read last: the rest is what no other field took.
  return canonical({ ...known, ...fields.rest() });
}

/** The fields of this kind, besides those that every record has. */
function ownFields(kind: Kind, fields: FrontMatterFields, body: string, reader?: BodyReader) {
  switch (kind) {
    case 'observation': {
      const type = fields.line('type') ?? 'change';
      const said = splitObservation(body) ?? reader?.observation(body) ?? { narrative: block(body), facts: [] };
      return { kind, type, title: fields.line('title') ?? '', ...OBSERVATION.read(fields), ...said };
    }
    case 'summary': {
      const type = fields.oneOf<SummaryType>('type', SUMMARY_TYPES) ?? 'summary';
      const said =
        type === 'digest'
          ? { ...emptySummary(), request: block(body) }
          : (splitSummary(body) ?? reader?.summary(body) ?? { ...emptySummary(), notes: block(body) });
      return { kind, type, title: fields.line('title') ?? '', ...SUMMARY.read(fields), ...said };
    }
    case 'mark': {
      const type = fields.oneOf<MarkType>('type', MARK_TYPES);
      if (type === undefined) throw fields.wrong('type', MARK_TYPES.join(', '), 'retire');
      const own = MARK.read(fields);
      if (own.targets.length === 0) throw fields.wrong('targets', 'at least one id', '["k3v9x2qd7m"]');
      if (type === 'supersede' && own.by === undefined) throw fields.wrong('by', 'the replacing id', '"7h2c9d4e1f"');
      return { kind, type, ...own, reason: block(body) };
    }
    case 'prompt':
      return { kind, text: block(body) };
    default:
      return kind satisfies never;
  }
}

function bodyOf(record: MemoryRecord): string {
  switch (record.kind) {
    case 'observation':
      return joinObservation(record);
    case 'summary':
      return record.type === 'digest' ? record.request : joinSummary(record);
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

/** A word as YAML, quoted unless every reader takes it for text without quotation marks. */
function wordText(word: string): string {
  return PLAIN_WORD.test(word) && !YAML_WORDS.has(word) ? word : quoted(word);
}
