import { counted } from '../quantities.ts';
import type { CheckReport } from './check.ts';
import type { MemoryDiff } from './diff.ts';
import { type Lettering, type RecordCard, sectionsOf, summaryOf } from './diff-outline.ts';
import { collapsed, collapsible, foldedList, LONGEST_REPORT, quoted, quotedAll } from './markdown.ts';
import type { OwnedRecord } from './owners.ts';
import type { Problem } from './problem.ts';

/** Longest text below a record's line, in characters. */
const MOST_SAID = 1000;

const LETTERING: Lettering = {
  title: headOf,
  foreign: quoted,
  list: quotedAll,
  under: (label, text) => `\n  - ${label && `${label} `}${quoted(text, MOST_SAID)}`,
};

/**
 * A diff as a comment on a pull request: a one-line summary, what must be fixed or decided, the new observations, and
 * the rest folded away. No record's text acts as markup in it.
 */
export function diffMarkdown(diff: MemoryDiff, cards: RecordCard[] = []): string {
  const shown = cardsMarkdown(cards);
  const carded = new Set(cards.map(({ item }) => item.id));
  // Those that are shown in full are not listed as well.
  const listed = { ...diff, added: diff.added.filter(({ id }) => !carded.has(id)) };
  const sections = sectionsOf(listed, LETTERING).map(({ title, level, lines }) => {
    return { title, entries: lines, isOpen: level !== 'info' };
  });
  const texts = collapsed(sections, LONGEST_REPORT - shown.length);
  const of = (isOpen: boolean) => texts.filter((_, i) => sections[i]?.isOpen === isOpen).join('\n');
  const size = diff.size.records === 0 ? '' : `${counted(diff.size.records, 'new file')}, ${diff.size.bytes} bytes.\n`;
  return ['### Memory\n', `${summaryOf(diff)}\n`, of(true), shown, of(false), size].filter(Boolean).join('\n');
}

/** A check as Markdown, with the owners of the records if they were asked for. */
export function checkMarkdown({ ok, checked, problems }: CheckReport, owned: OwnedRecord[] = []): string {
  const line = ({ path, line: at, message, hint }: Problem) =>
    `${quoted(path)}${at === undefined ? '' : `, line ${at}`}: ${quoted(message)} ${hint && quoted(hint)}`.trimEnd();
  const of = (level: Problem['level']) => problems.filter((one) => one.level === level).map(line);
  const owners = owned.map(
    (one) => `${LETTERING.title(one)}: ${one.owners.length > 0 ? quotedAll(one.owners) : 'nobody'}`,
  );
  return [
    '### Memory check\n',
    `${counted(checked, 'file')}: ${ok ? 'nothing has to be fixed' : `${of('error').length} to be fixed`}.\n`,
    collapsible([
      { title: 'Errors', entries: of('error'), isOpen: true },
      { title: 'Warnings', entries: of('warn'), isOpen: false },
      { title: 'Owners of the cited files', entries: owners, isOpen: false },
    ]),
  ]
    .filter(Boolean)
    .join('\n');
}

/** Records shown in full without a click: what a reviewer reads at a stretch. */
const UNFOLDED = 20;

/** Longest text of all of them together, in UTF-16 units: the other half of a comment is for the lists. */
const ROOM = 30_000;

/** Per record: passages shown at once, as a narrative and two facts, and the longest one in characters. */
const FIRST = { passages: 3, characters: 400 } as const;

/**
 * New observations for a reviewer: author, content, cited files and what each one replaces. Those beyond
 * the first, and those mined from the history, are named in a list that opens on a click.
 */
function cardsMarkdown(cards: RecordCard[]): string {
  const mined = cards.filter(({ author }) => author === 'bootstrap');
  const others = cards.filter(({ author }) => author !== 'bootstrap');
  const shown: string[] = [];
  let room = ROOM;
  for (const card of others.slice(0, UNFOLDED)) {
    const text = cardMarkdown(card);
    if (text.length > room) break;
    room -= text.length;
    shown.push(text);
  }
  return [
    shown.length === 0 ? '' : foldedList('Added', shown, true),
    namesOf('More records', others.slice(shown.length)),
    namesOf('Mined from the history', mined),
  ]
    .filter(Boolean)
    .join('\n');
}

/** A list of titles, as long as it fits beside the records that are shown. */
function namesOf(title: string, cards: RecordCard[]): string {
  if (cards.length === 0) return '';
  const lines = cards.slice(0, 40).map(({ item, by }) => `${headOf(item)}, by ${quoted(by)}`);
  const more = cards.length - lines.length;
  return foldedList(title, more > 0 ? [...lines, `and ${more} more.`] : lines);
}

function cardMarkdown(card: RecordCard): string {
  const { item, author, by, session, narrative, facts, files, replaces } = card;
  const about = [
    `${author} ${quoted(by)}`,
    session && `session ${quoted(session)}`,
    replaces.length > 0 &&
      `replaces ${replaces.map(({ id, title }) => `${quoted(id)}${title && ` ${quoted(title)}`}`).join(', ')}`,
  ].filter(Boolean);
  const passages = [...paragraphsOf(narrative), ...facts].map((passage) => quoted(passage, FIRST.characters));
  const rest = passages.slice(FIRST.passages);
  return [
    `**${quoted(item.title)}** ${quoted(item.type ?? '')} ${quoted(item.id)}`,
    `  - ${about.join(', ')}`,
    ...passages.slice(0, FIRST.passages).map((passage) => `  - ${passage}`),
    ...(files.length > 0 ? [`  - cites ${files.map(fileMarkdown).join(', ')}`] : []),
    ...(rest.length > 0 ? ['', foldedList('The rest', rest).replace(/^(?=.)/gm, '  ')] : []),
  ].join('\n');
}

/** The line that names a record in a list. */
function headOf({ title, type, id }: RecordCard['item']): string {
  // A mark's title begins with its type.
  return `${quoted(title)}${type && !title.startsWith(`${type} `) ? ` ${quoted(type)}` : ''} ${quoted(id)}`;
}

function fileMarkdown({ path, link }: RecordCard['files'][number]): string {
  return link === undefined ? quoted(path) : `[${quoted(path)}](${link})`;
}

/** Paragraphs short enough for a comment: a code span cuts off longer text. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => chunks(paragraph.replace(/\s+/g, ' ').trim()))
    .filter(Boolean);
}

function chunks(paragraph: string): string[] {
  const sentences = paragraph.split(/(?<=[.!?…])\s/u);
  const pieces: string[] = [];
  for (const sentence of sentences) {
    const last = pieces.at(-1);
    const longer = last === undefined ? sentence : `${last} ${sentence}`;
    if (last !== undefined && longer.length <= FIRST.characters) pieces[pieces.length - 1] = longer;
    else pieces.push(sentence);
  }
  return pieces;
}
