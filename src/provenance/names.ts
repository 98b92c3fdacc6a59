import type { MemoryRecord } from '../memory/record.ts';

/** Most names that are taken from one record: the title's first, then those in backticks, then the others. */
const MOST = 24;

/** How much of a record's text is looked at, in UTF-16 units. */
const MOST_TEXT = 20_000;

/** Longest name, in UTF-16 units; a longer quotation is a passage, and passages are reformatted. */
const LONGEST = 60;

// Each of these finds what its author can only have meant literally. A plain word counts only in backticks or quotes.
const LITERAL = [
  /`([^`\n]+)`/g,
  /"([^"\n]+)"/g,
  /“([^“”\n]+)”/g,
  // An apostrophe within a word is not a quotation mark.
  /(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu,
];
const BARE = [
  // camelCase, and PascalCase of two words or more.
  /(?<![\w$.-])[a-z$][a-z0-9]*[A-Z][\w$]*|(?<![\w$.-])[A-Z][a-z0-9]+[A-Z][\w$]*/g,
  // snake_case and SETTINGS_IN_CAPITALS.
  /(?<![\w$./-])_{0,2}[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+/g,
  // --flags.
  /(?<![\w-])--[a-z][\w-]+/g,
  // Called names: parse(), Parser::parse(x).
  /(?<![\w$])[A-Za-z_$][\w$]*(?=\()/g,
  // Settings and members: server.read_timeout, Parser::new, node->next.
  /(?<![\w$./:>-])[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+(?![\w/])/g,
  // Paths below a folder, and those of requests.
  /(?<![\w$.:/@-])(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\/[\w@.-]*\w/g,
];

/** Words that are often in backticks or quotes, and whose absence means nothing. */
// biome-ignore format: a word list reads best as running text.
const COMMON = new Set(('true false null nil none undefined main master self this test tests name value type string number int ' +
  'bool boolean error errors data file files path key keys list item items object array class function return import export ' +
  'default async await const let var new public private static void args kwargs options config index utils yes the not and').split(' '));

/** Products and formats whose names look like identifiers. */
const PRODUCTS =
  /^(?:Git(?:Hub|Lab)|(?:Java|Type|Coffee)Script|mac|iOS|iPhone|macOS|OAuth|Postgre\w*|My?SQL\w*|SQLite|No?SQL|VSCode|YouTube|OpenAI|LaTeX|WebSocket|McCabe|JetBrains|DevOps|PowerShell|GraphQL)/;

/**
 * The names in a record's text: identifiers, paths, commands, settings and quoted strings, at most 24. Whether a file
 * contains one is for `stands` to decide.
 */
export function namesIn(record: MemoryRecord): string[] {
  if (record.kind !== 'observation') return [];
  const texts = [record.title, record.subtitle ?? '', record.narrative, ...record.facts];
  const text = texts.join('\n').slice(0, MOST_TEXT);
  const cited = new Set([...record.files_modified, ...record.files_read]);
  const names = new Set<string>();
  for (const part of [record.title, text]) {
    for (const name of namesInText(part)) {
      if (names.size < MOST && !cited.has(name)) names.add(name);
    }
  }
  return [...names];
}

function namesInText(text: string): string[] {
  const all = (patterns: RegExp[], group: 0 | 1) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((found) => ownPart(found[group]?.trim() ?? '')));
  return [
    ...all(LITERAL, 1).filter((name) => /\p{L}/u.test(name)),
    ...all(BARE, 0).filter((name) => !PRODUCTS.test(name) && !isProse(name)),
  ].filter((name) => name.length > 2 && name.length <= LONGEST && !COMMON.has(name));
}

/** A call without its arguments; a member without its owner if distinctive enough: owners have other names elsewhere. */
function ownPart(text: string): string {
  if (text.length > 2 * LONGEST) return '';
  const name = /^[\w$.:>-]+(?=\(.*\)$)/.exec(text)?.[0] ?? text;
  const parts = name.split(/\.|::|->/);
  const last = parts.at(-1) ?? '';
  const isMember = parts.length > 1 && parts.every((part) => /^[\w$]+$/.test(part));
  return isMember && /[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]/.test(last) ? last : name;
}

/** Whether a word is English, such as "and/or" or "e.g.", or a site's address. */
function isProse(name: string): boolean {
  if (name.includes('/')) return !/[._@-]/.test(name) || /^(?:www\.|\w+\.(?:com|org|io|net|dev)\/)/.test(name);
  return /^(?:e\.g|i\.e)$/i.test(name) || name.length < 4;
}

/**
 * Whether a text contains a name as a whole: `parser` does not contain `parse`. Quoted code of several words is found
 * even if a formatter changed its spaces, quotes or commas.
 */
export function stands(name: string, text: string): boolean {
  return standsExactly(name, text) || (/[\s,]/.test(name.trim()) && unformatted(text).includes(unformatted(name)));
}

/** Code without what formatters change. */
function unformatted(code: string): string {
  return code.replace(/[\s'"`,;]+/g, '');
}

function standsExactly(name: string, text: string): boolean {
  const isPart = name.includes('-') ? /[\p{L}\p{N}_$-]/u : /[\p{L}\p{N}_$]/u;
  // Shells, PHP and templates write $name where a record says `name`.
  const isPartBefore = (char = '') => char !== '$' && isPart.test(char);
  const [first = '', last = ''] = [name[0], name.at(-1)];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWholeBefore = !isPart.test(first) || !isPartBefore(text[at - 1]);
    if (isWholeBefore && (!isPart.test(last) || !isPart.test(text[at + name.length] ?? ''))) return true;
  }
  return false;
}
