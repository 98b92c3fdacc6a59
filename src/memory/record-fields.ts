import type { ObservationBody, SummaryBody } from './body.ts';
import type { FrontMatterFields } from './front-matter-fields.ts';
import { flow, quoted } from './front-matter-lines.ts';
import { ASKED, type Common, type Mark, type Observation, oneLine, SESSION_STOPS, type Summary } from './record.ts';

// The front matter of each kind, field by field, defined once for reading, writing and the canonical form. What is
// particular to one kind, such as its type, title and body, is beside the code that handles it.

/** How a field is read, made canonical and written; undefined leaves it out. */
interface Shape<T> {
  read(fields: FrontMatterFields, key: string): T | undefined;
  canonical(value: T | undefined): T | undefined;
  write(value: T): string | undefined;
}

const LINE: Shape<string> = {
  read: (fields, key) => fields.line(key),
  canonical: (value = '') => oneLine(value) || undefined,
  write: quoted,
};

const NUMBER: Shape<number> = {
  read: (fields, key) => fields.number(key),
  canonical: wholeNumber,
  write: String,
};

const LIST: Shape<string[]> = {
  read: (fields, key) => fields.list(key),
  canonical: (values = []) => [...new Set(values.map(oneLine).filter((value) => value !== ''))],
  write: (values) => nonEmpty(values) && flow(values),
};

const MAP: Shape<Record<string, string>> = {
  read: (fields, key) => fields.entries(key),
  canonical(map = {}) {
    const entries = Object.entries(map).map(([key, value]) => [oneLine(key), value] as const);
    const kept = entries.filter(([key]) => key !== '' && key !== '__proto__');
    return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
  },
  write: (map) => (Object.keys(map).length > 0 ? flow(map) : undefined),
};

/** The same, but absent when empty. */
const SOME: Shape<string[]> = { ...LIST, canonical: (values) => nonEmpty(LIST.canonical(values) ?? []) };
const SOME_MAP: Shape<Record<string, string>> = {
  ...MAP,
  canonical(map) {
    const kept = MAP.canonical(map) ?? {};
    return Object.keys(kept).length > 0 ? kept : undefined;
  },
};

function oneOf<T extends string>(allowed: readonly T[]): Shape<T> {
  return { read: (fields, key) => fields.oneOf(key, allowed), canonical: (value) => value, write: quoted };
}

export const COMMON = table<Omit<Common, 'id' | 'generated' | 'extra'>>({
  session: LINE,
  prompt_number: NUMBER,
  branch: LINE,
  commit: LINE,
});

type Headed = keyof Common | 'kind' | 'type' | 'title';

export const OBSERVATION = table<Omit<Observation, Headed | keyof ObservationBody>>({
  subtitle: LINE,
  concepts: LIST,
  files_modified: LIST,
  files_read: LIST,
  anchors: MAP,
  supersedes: LIST,
  extractor: LINE,
  inputs: SOME,
  discovery_tokens: NUMBER,
});

export const SUMMARY = table<Omit<Summary, Headed | keyof SummaryBody>>({
  files_read: LIST,
  files_edited: LIST,
  supersedes: LIST,
  extractor: LINE,
  inputs: SOME,
  discovery_tokens: NUMBER,
  started: LINE,
  stopped: oneOf(SESSION_STOPS),
  commits: SOME,
});

export const MARK = table<Omit<Mark, Headed | 'reason'>>({
  targets: LIST,
  by: LINE,
  hashed_with: LINE,
  hashes: SOME,
  guards: SOME,
  asks: oneOf(ASKED),
  anchors: SOME_MAP,
});

/** The table's type ties each field to its shape, so its results have the type of the fields. */
function table<Fields extends object>(shapes: { readonly [K in keyof Fields]-?: Shape<NonNullable<Fields[K]>> }) {
  const all: [string, Shape<unknown>][] = Object.entries(shapes);
  // Assigned one by one: a session start reads dozens of records, and lists of pairs cost more.
  const each = (fill: (key: string, shape: Shape<unknown>) => unknown): Fields => {
    const values: Record<string, unknown> = {};
    for (const [key, shape] of all) values[key] = fill(key, shape);
    return values as Fields;
  };
  return {
    read: (fields: FrontMatterFields) => each((key, shape) => shape.read(fields, key)),
    canonical: (record: Fields) => each((key, shape) => shape.canonical(Reflect.get(record, key))),
    /** The fields with a value, in their order, as YAML. */
    written(record: Fields): [key: string, text: string][] {
      return all.flatMap(([key, shape]) => {
        const value = Reflect.get(record, key);
        const text = value === undefined ? undefined : shape.write(value);
        return text === undefined ? [] : [[key, text]];
      });
    },
  };
}

function nonEmpty<T>(values: T[]): T[] | undefined {
  return values.length > 0 ? values : undefined;
}

function wholeNumber(value: number | undefined): number | undefined {
  // Plus zero, so that -0 becomes 0, as when read from a file.
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined;
}
