import { typeOf } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import type { Evidence } from '../../provenance/levels.ts';
import type { Annotated } from '../../recall/query/annotate.ts';
import type { Context } from './command.ts';
import { highlighted } from './highlight.ts';
import { fitted, lineWidth, minute, shown } from './print.ts';
import { trustWords } from './record-words.ts';
import { shortIds } from './short-ids.ts';

/** A record of a table, and the text below it. */
export interface Row {
  annotated: Annotated;
  snippet?: string;
  /** Whether the other records are shown around this one. */
  isAnchor?: boolean;
  /** The linked repository that it comes from. */
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

type Output = Pick<Context, 'stdout' | 'style'>;

/**
 * Prints records as lines of id, time, type, title and notes; words among `terms` are highlighted. `knownIds` are all
 * ids of this repository that begin like those of the rows, if the caller knows them.
 */
export function printRecords(
  rows: Row[],
  workspace: Workspace,
  output: Output,
  {
    terms,
    knownIds,
    evidence,
  }: {
    terms?: ReadonlySet<string>;
    knownIds?: string[] | undefined;
    evidence?: ReadonlyMap<string, Evidence> | undefined;
  } = {},
): void {
  const ids = idsOf(rows, workspace, knownIds);
  const lines = rows.map((row) => {
    const { annotated, snippet, isAnchor } = row;
    const { record } = annotated;
    const shows = evidence?.get(record.id);
    // One word is enough for what was taken back by a commit.
    const others = notesOn(annotated).filter((note) => shows !== 'undone' || note !== 'reverted');
    const said = { at: record.generated.at, type: typeOf(record), title: titleOf(record) };
    return { id: ids.get(row) ?? record.id, ...said, notes: shows ? [shows, ...others] : others, snippet, isAnchor };
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
 * Each row's record in the form that every command accepts: the start of its id, after the name of a linked repository.
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
export function notesOn({ state, reverted, freshness, disputedBy, entry, ...judged }: Annotated): string[] {
  return [
    state.pinned && 'pinned',
    state.superseded_by.length > 0 && 'superseded',
    state.retired && 'retired',
    reverted !== undefined && 'reverted',
    state.redacted && 'redacted',
    (state.disputed || disputedBy.length > 0) && 'disputed',
    freshness !== 'fresh' && freshness !== 'unknown' && freshness,
    ...trustWords(judged).filter((word) => word !== 'reviewed' && word !== 'own'),
    entry.store === 'private' && 'private',
  ].filter((note) => note !== false);
}
