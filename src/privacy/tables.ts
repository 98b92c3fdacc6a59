import { kindOfNamed } from './assignments.ts';
import { type Finding, matchesOf } from './findings.ts';
import { isGiven } from './given-values.ts';
import { byLanguage, fitting } from './hints.ts';
import { anyOf, KEY_STEMS, PASSWORD_STEMS } from './secret-words.ts';

/** The separators of cells. */
const DIVIDERS = [',', ';', '\t', '|', '│'];
const BLANKS = /[ ]{2,}|\t/gu;
/** Nearly all lines contain none of these, so they are not a relevant header. */
const PROMISE = byLanguage(
  (words) => new RegExp(`pass|pw|pin(?![a-z])|secret|token|key|auth|cred|value|${words}`, 'iu'),
);
/** Longer lines, in UTF-16 units, are data and not rows of a table that people read. */
const LONGEST_LINE = 4_000;
const NAME_COLUMN = /^(?:name|key|variable|setting|parameter|option|attribute|field)$/iu;
/** A column of codes, in which digits alone are secret. */
const CODE_COLUMN = /(?:^|[ _-])(?:PIN|PUK|pin|Pin|passcode|Passcode)(?:[ _-]?(?:code|Code|no|number))?$/u;
const VALUE_COLUMN = /^(?:value|val)$/iu;
const CELL_NAME = /^\p{L}[\p{L}\w .-]{0,59}$/u;
const RULE_LINE = /^[\s|+:=\u2500-\u257f-]{3,}$/u;

/** The names themselves, in a table of translations. */
const LABEL = new RegExp(`(?:^|[- ])(?:${anyOf([...KEY_STEMS, ...PASSWORD_STEMS])})\\p{L}{0,4}$`, 'iu');

interface Cell {
  text: string;
  start: number;
}

interface Line {
  text: string;
  start: number;
}

/** What a header says about the cells below it: their names, or which cell names another one. */
interface Header {
  divider: string;
  names: string[];
}

/**
 * Finds secrets in tables, where the name is in the header or in another cell of the row: CSV, Markdown, database
 * output, and columns separated by spaces below a ruled header.
 */
export function findInTables(text: string): Finding[] {
  const promise = fitting(PROMISE, text);
  const found: Finding[] = [];
  let header: Header | undefined;
  let before: Line | undefined;
  for (const line of linesOf(text)) {
    if (RULE_LINE.test(line.text)) {
      header = ruledHeader(before, line) ?? header;
      continue;
    }
    const cells = header && line.text.length <= LONGEST_LINE ? cellsOf(line, header.divider) : [];
    if (header && cells.length === header.names.length) found.push(...inRow(cells, header.names));
    else header = line.text.length <= LONGEST_LINE && promise.test(line.text) ? dividedHeader(line) : undefined;
    before = line;
  }
  return found;
}

/** A list of columns, and what a row has for each: SQL. */
const INSERT = /\(([\w\s,`"'[\].]{3,600})\)\s{0,10}VALUES\s{0,10}(?=\()/gi;
const FIELD =
  /\s{0,20}(?:N?'((?:[^'\\]|\\.|''){0,400})'|"((?:[^"\\]|\\.){0,400})"|[^,()'"]{0,200}(?:\([^()]{0,200}\))?)\s{0,20}([,)])/y;

/** Finds values by the names in the list before them: `INSERT INTO t (login, password) VALUES ('joe', '...')`. */
export function findInInserts(text: string): Finding[] {
  if (!/\)\s{0,10}VALUES\b/i.test(text)) return [];
  return matchesOf(text, INSERT).flatMap((match) => {
    const names = (match[1] ?? '').split(',').map((name) => name.replace(/[\s`"'[\]]/gu, ''));
    const found: Finding[] = [];
    let at = match.index + match[0].length + 1;
    for (let column = 0; promises(names); column++) {
      FIELD.lastIndex = at;
      const field = FIELD.exec(text);
      if (!field) break;
      const value = field[1] ?? field[2] ?? '';
      const name = names[column] ?? '';
      const kind = kindOfNamed(name, value) ?? (isGiven(value) ? kindOfNamed(name, PROBE) : undefined);
      const start = at + field[0].indexOf(value);
      if (value !== '' && kind !== undefined) found.push({ start, end: start + value.length, kind });
      at = FIELD.lastIndex;
      if (field[3] === ',') continue;
      // The next row.
      const next = /^\s{0,20},\s{0,20}\(/u.exec(text.slice(at, at + 60))?.[0].length;
      if (next === undefined) break;
      at += next;
      column = -1;
    }
    return found;
  });
}

/** A header whose cells are separated by a character. */
function dividedHeader(line: Line): Header | undefined {
  for (const divider of DIVIDERS) {
    if (!line.text.includes(divider)) continue;
    const names = cellsOf(line, divider).map(({ text }, i) => (i === 0 ? text.replace(/^#[ ]/u, '') : text));
    if (names.length >= 2 && names.every((name) => CELL_NAME.test(name)) && promises(names)) return { divider, names };
  }
  const names = cellsOf(line, ' ').map(({ text }) => text);
  return names.length >= 2 && names.every((name) => /^\w{2,20}$/u.test(name)) && promises(names)
    ? { divider: ' ', names }
    : undefined;
}

/** A header separated by spaces, with dashes below each column, as `vault read` prints it. */
function ruledHeader(above: Line | undefined, rule: Line): Header | undefined {
  if (!above || !/^(?:-{2,}(?:[ ]{1,80}-{2,})+|={2,}(?:[ ]{1,80}={2,})+)\s*$/u.test(rule.text)) return undefined;
  const names = cellsOf(above, ' ').map(({ text }) => text);
  return names.length >= 2 && promises(names) ? { divider: ' ', names } : undefined;
}

function promises(names: string[]): boolean {
  return isPairing(names) || names.some((name) => CODE_COLUMN.test(name) || kindOfNamed(name, PROBE) !== undefined);
}

/** A value that is a secret under every name that suggests one. */
const PROBE = ['q7Rz', 'W2kX', 'v9Tb', 'M4nJ'].join('');

function isPairing(names: string[]): boolean {
  return names.some((name) => NAME_COLUMN.test(name)) && names.some((name) => VALUE_COLUMN.test(name));
}

function inRow(cells: Cell[], names: string[]): Finding[] {
  const naming = names.findIndex((name) => NAME_COLUMN.test(name));
  const own = isPairing(names) ? cells[naming]?.text : undefined;
  return cells.flatMap(({ text, start }, column): Finding[] => {
    const name = names[column] ?? '';
    const judged = own !== undefined && VALUE_COLUMN.test(name) ? own : name;
    const kind =
      kindOfNamed(judged, text) ??
      (CODE_COLUMN.test(judged) && /^\d{4,8}[#*]?$/u.test(text) ? 'pin' : undefined) ??
      (/(?:^|_)t?otp/iu.test(judged) && /^[A-Z2-7]{16,64}$/u.test(text) ? 'totp-secret' : undefined);
    return kind === undefined || LABEL.test(text) ? [] : [{ start, end: start + text.length, kind }];
  });
}

/** A text whose surrounding white space is replaced by as many plain spaces. */
function blankEdged(text: string): string {
  return text.trim().padStart(text.trimEnd().length).padEnd(text.length);
}

/** The cells of a line without the spaces and quotes around them; a space divider means two spaces or more. */
function cellsOf({ text, start }: Line, divider: string): Cell[] {
  const pattern = divider === ' ' ? BLANKS : new RegExp(`[${divider}]`, 'gu');
  const bare =
    divider === '|' || divider === '│'
      ? text.replace(/^\s*[|│]|[|│]\s*$/gu, (edge) => ' '.repeat(edge.length))
      : blankEdged(text);
  const cells: Cell[] = [];
  let from = divider === ' ' ? bare.length - bare.trimStart().length : 0;
  const push = (end: number) => {
    const raw = bare.slice(from, end);
    const inside = raw.trim().replace(/^(["'`])(.*)\1$/u, '$2');
    cells.push({ text: inside, start: start + from + raw.indexOf(inside) });
  };
  for (const match of bare.trimEnd().matchAll(pattern)) {
    if (match.index < from) continue;
    push(match.index);
    from = match.index + match[0].length;
  }
  push(bare.length);
  return cells;
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  for (const match of text.matchAll(/\r?\n/g)) {
    yield { text: text.slice(start, match.index), start };
    start = match.index + match[0].length;
  }
  yield { text: text.slice(start), start };
}
