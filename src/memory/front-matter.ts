import matter from 'gray-matter';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { GitMemError, messageOf } from '../errors.ts';
import { endOfFrontMatter, plainLines } from './front-matter-lines.ts';
import type { YamlValue } from './record.ts';
import { MAX_RECORD_BYTES } from './size.ts';

/** Largest front matter that is parsed, in UTF-16 units; git-mem itself writes nothing nearly as large. */
const MAX_FRONT_MATTER = 65_536;

/** gray-matter looks for comments in time quadratic in the number of consecutive blank lines. */
const MANY_BLANK_LINES = /(?:[\n\r\u2028\u2029][^\S\n\r\u2028\u2029]*){100}/;

const EXAMPLE = '---\nid: "k3v9x2qd7m"\nkind: observation\ntype: decision\ntitle: "One line"\n---\n';

// gray-matter runs ---js front matter as code; every engine but YAML refuses instead.
const refuse = () => {
  throw new Error('only YAML front matter is read');
};
const engines = {
  yaml: {
    parse: (text: string): object => {
      // Failsafe keeps every scalar a string: 12e4567 stays an id, 12:30:45 a time, null a word.
      const value: unknown = load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0 });
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
      throw new Error('the front matter is not a list of "key: value" lines');
    },
    stringify: refuse,
  },
  javascript: { parse: refuse, stringify: refuse },
  js: { parse: refuse, stringify: refuse },
  json: { parse: refuse, stringify: refuse },
  coffee: { parse: refuse, stringify: refuse },
};

/**
 * Splits a Markdown file into its front matter, every scalar a string, and its body.
 * Throws bad-record when there is none or it is not YAML; `path` is for the message.
 */
export function splitFrontMatter(text: string, path: string): { data: Record<string, YamlValue>; body: string } {
  const source = plainLines(text);
  if (source.length > MAX_RECORD_BYTES) throw malformed(path, `it has ${source.length} characters`, 'a small file');
  if (!source.startsWith('---\n')) {
    const came = JSON.stringify(source.slice(0, 40).split('\n')[0]);
    throw malformed(path, `it starts with ${came}`, 'a first line of exactly "---"');
  }
  const end = endOfFrontMatter(source);
  if (end === undefined) throw malformed(path, 'its front matter does not end', 'a second line of exactly "---"');
  if (end > MAX_FRONT_MATTER || MANY_BLANK_LINES.test(source.slice(0, end))) {
    throw malformed(path, `its front matter has ${end} characters`, 'a few lines of "key: value"');
  }
  const own = splitOwn(source, end);
  if (own !== undefined) return own;
  try {
    // Always with options: without them gray-matter answers from a cache that hides earlier errors.
    const file = matter(source, { engines, language: 'yaml', delimiters: '---' });
    return { data: plain(file.data), body: file.content };
  } catch (error) {
    const reason = messageOf(error).split('\n')[0] ?? '';
    throw malformed(path, reason, 'YAML between two "---" lines', error);
  }
}

/**
 * Reads the front matter that git-mem itself writes: one JSON value per line, without a YAML parser, because a session
 * start reads dozens of records. Any deviation, however small, gives undefined and goes to the parser.
 */
function splitOwn(source: string, end: number): { data: Record<string, YamlValue>; body: string } | undefined {
  if (!source.startsWith('\n---\n', end)) return undefined;
  const data: Record<string, YamlValue> = {};
  for (const line of source.slice(4, end).split('\n')) {
    const colon = line.indexOf(': ');
    const key = line.slice(0, Math.max(0, colon));
    const value = /^[a-z][a-z_]*$/.test(key) && !(key in data) ? ownValue(line.slice(colon + 2)) : undefined;
    if (value === undefined) return undefined;
    data[key] = value;
  }
  return { data, body: source.slice(end + 5) };
}

const GENERATED = /^\{by: ("(?:[^"\\]|\\.)*")(?:, name: ("(?:[^"\\]|\\.)*"))?, at: ("(?:[^"\\]|\\.)*")\}$/;

function ownValue(text: string): YamlValue | undefined {
  if (/^[a-z][a-z0-9-]*$|^\d+$/.test(text)) return text;
  const generated = text.startsWith('{by: ') ? GENERATED.exec(text) : null;
  try {
    if (generated) {
      const [, by, name, at] = generated;
      return { by: parsedString(by), ...(name && { name: parsedString(name) }), at: parsedString(at) };
    }
    const value: unknown = /^["[{]/.test(text) ? JSON.parse(text) : undefined;
    if (typeof value === 'string' || (Array.isArray(value) && value.every((entry) => typeof entry === 'string')))
      return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value);
    // A repeated key, or one that YAML reads differently: the parser decides.
    const plainMap = entries.every(([name, entry]) => typeof entry === 'string' && name !== '__proto__');
    return plainMap && entries.length === (text.match(/": "/g)?.length ?? 0) ? Object.fromEntries(entries) : undefined;
  } catch {
    return undefined; // Not JSON: YAML may still read it.
  }
}

function parsedString(json = '""'): string {
  return String(JSON.parse(json));
}

/** A fresh copy that holds only strings, lists and objects, and no `__proto__`. */
function plain(data: object): Record<string, YamlValue> {
  const copy = (value: unknown): YamlValue => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value === 'object' && value !== null) return plain(value);
    return typeof value === 'string' ? value : '';
  };
  const entries = Object.entries(data).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, value]) => [key, copy(value)]));
}

function malformed(path: string, came: string, expected: string, cause?: unknown): GitMemError {
  return new GitMemError('bad-record', `${path} is not a record: ${came}; expected ${expected}.`, {
    hint: `A record begins like this:\n${EXAMPLE}`,
    ...(cause !== undefined && { cause }),
  });
}
