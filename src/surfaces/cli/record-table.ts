import { labelled, type Source, sourceFolders } from '../../exchange/places/reader.ts';
import { tokenize } from '../../index/tokens.ts';
import { shortestPrefixes, startOf } from '../../memory/id.ts';
import { inputWords, typeOf } from '../../memory/record.ts';
import { PERSONAL } from '../../memory/store/personal.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Annotated } from '../../records/annotate.ts';
import { foldersOf, viewOf } from '../../records/view.ts';
import type { Context, Texts } from './command.ts';
import { fitted, lineWidth, minute, shown } from './print.ts';

/** A record of a table, and the text below it. */
interface Row {
  annotated: Annotated;
  /** The memory that it was found in, where it is not this repository's. */
  source?: Pick<Source, 'origin' | 'workspace'>;
  snippet?: string;
  /** Whether the other records are shown around this one. */
  isAnchor?: boolean;
}

/** What a line of a table says; `at` in ISO 8601. */
interface Line extends Record<'id' | 'at' | 'type' | 'title', string> {
  notes: string[];
  snippet?: string | undefined;
  isAnchor?: boolean | undefined;
}

/** Columns of the type: as wide as `discovery`, or as the longest one, at most `environment`. */
const TYPE = { usual: 9, widest: 11 } as const;

/** Fewest columns of a title, however narrow the terminal is: fewer say nothing. */
const NARROWEST = 20;

/** Prints one line per record, with `terms` highlighted. `knownIds`: all ids here that begin like those of the rows. */
export function printRecords(
  rows: Row[],
  workspace: Workspace,
  output: Pick<Context, 'stdout' | 'style'>,
  { terms, knownIds }: { terms?: ReadonlySet<string>; knownIds?: string[] | undefined } = {},
): void {
  const idOf = naming(rows, workspace, knownIds);
  const lines = rows.map((row) => {
    const { annotated, snippet, isAnchor } = row;
    const { record } = annotated;
    const said = { at: record.generated.at, type: typeOf(record), title: titleOf(record) };
    return { id: idOf(row), ...said, notes: notesOn(annotated), snippet, isAnchor };
  });
  printLines(lines, output, terms);
}

/** The same from what each line says. */
export function printLines(
  lines: Line[],
  { stdout, style }: Pick<Context, 'stdout' | 'style'>,
  terms: ReadonlySet<string> = new Set(),
): void {
  // No id is shown with fewer than the four characters that commands require.
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

/** Names a record as every command accepts it: by the start of its id, after the name of another repository. */
function naming(rows: Row[], own: Workspace, knownIds?: string[]): (row: Row) => string {
  const placeOf = ({ source }: Row) => source?.workspace ?? own;
  const groups = [...new Set(rows.map(placeOf))].map((workspace) => {
    const given = rows.filter((row) => placeOf(row) === workspace).map(({ annotated }) => annotated.record.id);
    const known = workspace === own && knownIds ? () => knownIds : undefined;
    return [workspace, shortIds(workspace, given, known)] as const;
  });
  const ids = new Map(groups);
  return (row) => {
    const { id } = row.annotated.record;
    return labelled(ids.get(placeOf(row))?.get(id) ?? id, row.source ?? {});
  };
}

/** A record that was found in one of several memories, for programs. */
export function foundView({ annotated, source }: { annotated: Annotated; source: Source }) {
  return { ...viewOf(annotated, sourceFolders(source)), ...originOf(source) };
}

/** The label of another memory in JSON; empty for this repository's own. */
export function originOf({ origin }: Pick<Source, 'origin'>): Texts<'origin' | 'store'> {
  return origin === undefined ? {} : { origin, ...(origin === PERSONAL && { store: PERSONAL }) };
}

/** Records of one repository for programs. */
export function viewsOf(records: Annotated[], workspace: Workspace) {
  return records.map((one) => viewOf(one, foldersOf(workspace)));
}

/** The title of a record, or what comes closest where it has none. */
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

type Marking = (word: string) => string;

const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Scripts without spaces, whose words are found as pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]/u;

/** Text in which every word that search would match with one of the terms is marked; `terms` are tokens. */
export function highlighted(text: string, terms: ReadonlySet<string>, mark: Marking): string {
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

function markedParts(chars: string[], length: number, isAsked: (part: string) => boolean, mark: Marking): string {
  const isStart = chars.map((_, i) => isAsked(chars.slice(i, i + length).join('')));
  let [marked, run] = ['', ''];
  for (const [i, char] of chars.entries()) {
    if (isStart.slice(Math.max(0, i - length + 1), i + 1).some(Boolean)) run += char;
    else [marked, run] = [`${marked}${run && mark(run)}${char}`, ''];
  }
  return `${marked}${run && mark(run)}`;
}

/** The shortest prefix of each id that every command accepts; `known` are all ids that begin alike, else file names. */
export function shortIds(
  { stores }: Workspace,
  ids: string[],
  known = () => [...stores.team.ids(), ...stores.private.ids()],
): Map<string, string> {
  const starts = new Set(ids.map(startOf));
  const others = known().filter((id) => starts.has(startOf(id)));
  return shortestPrefixes([...ids, ...others]);
}

/** The words shown beside a record's text, in the help of `list`; `docs/records.md` has the same rows. */
export const RECORD_WORDS = `Freshness, whether what a record names still stands in the files that it cites:
  fresh       every name in it still stands in its files
  touched     a name in it is gone from its files: check it first
  moved       every name still stands, in a file that was renamed
  gone        no cited file is left
  unknown     it cites no file, or what it held cannot be read here

Trust, where its text comes from (fresh, unknown, reviewed and own are not shown in lists):
  reviewed    the same text is on the reviewed branch
  own         written or accepted in this clone, not on the default branch yet
  edited      changed since its review: the reviewed text counts
  unreviewed  from anybody else: never injected, its marks change nothing

"verified" says that somebody checked it and left a mark (\`git mem verify\`) after its files last changed.
Beside "own", "edited" says that a person changed in this clone what git-mem wrote in it.`;

/** `edited` applies to own records only: a person changed in this clone what was written here. */
export function trustWords({ trust, edited }: Pick<Annotated, 'trust' | 'edited'>): string[] {
  return edited && trust === 'own' ? [trust, 'edited'] : [trust];
}
