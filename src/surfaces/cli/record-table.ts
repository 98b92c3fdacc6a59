import { tokenize } from '../../index/tokens.ts';
import { shortestPrefixes, startOf } from '../../memory/id.ts';
import { inputWords, typeOf } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Annotated } from '../../records/annotate.ts';
import { fitted, lineWidth, minute, type Styling, shown } from './print.ts';
import { trustWords } from './record-words.ts';

/** A record of a table, and the text below it. */
export interface Row {
  annotated: Annotated;
  snippet?: string;
  /** Whether the other records are shown around this one. */
  isAnchor?: boolean;
  /** The other repository that it comes from. */
  from?: { origin: string; workspace: Workspace };
}

/** What a line of a table says. */
interface Line {
  id: string;
  /** ISO 8601. */
  at: string;
  type: string;
  title: string;
  notes: string[];
  snippet?: string | undefined;
  isAnchor?: boolean | undefined;
}

/** Columns of the type: as wide as `discovery`, or as the longest one, at most `environment`. */
const TYPE = { usual: 9, widest: 11 } as const;

/** Fewest columns of a title, however narrow the terminal is: less says nothing. */
const NARROWEST = 20;

interface Output {
  stdout: NodeJS.WriteStream;
  style: Styling;
}

/**
 * Prints records as lines of id, time, type, title and notes; words among `terms` are highlighted. `knownIds` are all
 * ids of this repository that begin like those of the rows, if the caller knows them.
 */
export function printRecords(
  rows: Row[],
  workspace: Workspace,
  output: Output,
  { terms, knownIds }: { terms?: ReadonlySet<string>; knownIds?: string[] | undefined } = {},
): void {
  const ids = idsOf(rows, workspace, knownIds);
  const lines = rows.map((row) => {
    const { annotated, snippet, isAnchor } = row;
    const { record } = annotated;
    const said = { at: record.generated.at, type: typeOf(record), title: titleOf(record) };
    return { id: ids.get(row) ?? record.id, ...said, notes: notesOn(annotated), snippet, isAnchor };
  });
  printLines(lines, output, terms);
}

/** The same from what each line says. */
export function printLines(lines: Line[], { stdout, style }: Output, terms: ReadonlySet<string> = new Set()): void {
  // No id is shown with less than the four characters that commands ask for.
  const idWidth = Math.max(4, ...lines.map(({ id }) => id.length));
  const typeWidth = Math.min(TYPE.widest, Math.max(TYPE.usual, ...lines.map(({ type }) => type.length)));
  const columns = lineWidth(stdout);
  const mark = (word: string) => style(['bold', 'underline'], word);
  const sign = lines.some(({ isAnchor }) => isAnchor) ? 2 : 0;
  const texts = lines.map(({ id, at, type, title, notes, snippet, isAnchor }) => {
    const note = notes.length > 0 ? `  [${notes.join(', ')}]` : '';
    const fixed = sign + idWidth + 1 + 16 + 1 + typeWidth + 1 + note.length;
    const room = stdout.isTTY ? Math.max(NARROWEST, columns - fixed) : columns;
    const cells = [
      style('yellow', shown(id).padEnd(idWidth)),
      style('dim', shown(minute(at))),
      style('cyan', fitted(shown(type), typeWidth).padEnd(typeWidth)),
      `${highlighted(fitted(shown(title), room), terms, mark)}${style('dim', shown(note))}`,
    ];
    const line = `${sign > 0 ? (isAnchor ? style('green', '> ') : '  ') : ''}${cells.join(' ')}\n`;
    if (!snippet) return line;
    const indent = ' '.repeat(sign + idWidth + 1);
    return `${line}${indent}${highlighted(fitted(shown(snippet), columns - indent.length), terms, mark)}\n`;
  });
  stdout.write(texts.join(''));
}

/**
 * Each row's record in the form that every command accepts: the start of its id, after the name of another repository.
 */
function idsOf(rows: Row[], own: Workspace, knownIds?: string[]): Map<Row, string> {
  const named = new Map<Row, string>();
  for (const workspace of new Set(rows.map(({ from }) => from?.workspace ?? own))) {
    const there = rows.filter(({ from }) => (from?.workspace ?? own) === workspace);
    const ids = shortIds(
      workspace,
      there.map(({ annotated }) => annotated.record.id),
      workspace === own && knownIds ? () => knownIds : undefined,
    );
    for (const row of there) {
      const { id } = row.annotated.record;
      named.set(row, `${row.from ? `${row.from.origin}:` : ''}${ids.get(id) ?? id}`);
    }
  }
  return named;
}

/** The title of a record, or what says as much where it has none. */
export function titleOf(record: Annotated['record']): string {
  if (record.kind === 'mark') return `${record.targets.join(', ')} ${record.reason}`.replace(/\s+/g, ' ').trim();
  return record.kind === 'prompt' ? (record.text.split('\n')[0] ?? '') : record.title;
}

/** The notes on a record, one word each. */
export function notesOn({ record, state, verified, freshness, entry, ...judged }: Annotated): string[] {
  return [
    ...inputWords(record),
    state.pinned && 'pinned',
    verified && 'verified',
    state.superseded_by.length > 0 && 'superseded',
    state.retired && 'retired',
    state.redacted && 'redacted',
    state.disputed && 'disputed',
    freshness !== 'fresh' && freshness !== 'unknown' && freshness,
    ...trustWords(judged).filter((word) => word !== 'reviewed' && word !== 'own'),
    entry.store === 'private' && 'private',
  ].filter((note) => note !== false);
}

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Scripts without spaces, whose words are found as pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]/u;

/** Text in which every word that search would match with one of the terms is marked; `terms` are tokens. */
export function highlighted(text: string, terms: ReadonlySet<string>, mark: (word: string) => string): string {
  if (terms.size === 0) return text;
  const isAsked = (part: string, least = 1) =>
    tokenize(part).some((token) => terms.has(token) && [...token].length >= least);
  // If a pair was asked for, its single characters are not part of the question.
  const length = [...terms].some((term) => UNSPACED.test(term) && [...term].length > 1) ? 2 : 1;
  return text.replace(WORD, (word) => {
    if (!isAsked(word)) return word;
    return UNSPACED.test(word) ? markedParts([...word], length, (part) => isAsked(part, length), mark) : mark(word);
  });
}

function markedParts(
  chars: string[],
  length: number,
  isAsked: (part: string) => boolean,
  mark: (word: string) => string,
): string {
  const asked = new Set<number>();
  chars.forEach((_, i) => {
    if (isAsked(chars.slice(i, i + length).join(''))) for (let k = i; k < i + length; k++) asked.add(k);
  });
  let result = '';
  for (let i = 0; i < chars.length; ) {
    let end = i;
    while (end < chars.length && asked.has(end) === asked.has(i)) end++;
    const run = chars.slice(i, end).join('');
    result += asked.has(i) ? mark(run) : run;
    i = end;
  }
  return result;
}

/**
 * For each of these ids the shortest prefix that identifies its record in every command. Reads only file names, or less
 * if the caller knows all ids that begin like these.
 */
export function shortIds(
  { stores }: Workspace,
  ids: string[],
  known = () => [...stores.team.ids(), ...stores.private.ids()],
): Map<string, string> {
  const starts = new Set(ids.map(startOf));
  const others = known().filter((id) => starts.has(startOf(id)));
  return shortestPrefixes([...ids, ...others]);
}
