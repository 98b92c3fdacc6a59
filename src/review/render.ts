import { counted } from '../quantities.ts';
import type { CheckReport } from './check.ts';
import type { MemoryDiff } from './diff.ts';
import { type Lettering, type RecordCard, sectionsOf, summaryOf } from './diff-outline.ts';
import { collapsed, collapsible, foldedList, LONGEST_REPORT, quoted, quotedAll } from './markdown.ts';
import type { OwnedRecord } from './owners.ts';
import type { Problem } from './problem.ts';

/** Most records named under one file: a comment has to be read, and a central file has many. */
const MOST_TITLES = 10;

const LETTERING: Lettering = {
  title: headOf,
  foreign: quoted,
  list: quotedAll,
};

/**
 * A diff as a comment on a pull request: a one-line summary, what must be fixed, the new and changed observations, the
 * records that the change makes stale, by file, and the rest folded away. No record's text acts as markup in it.
 */
export function diffMarkdown(diff: MemoryDiff, cards: RecordCard[] = []): string {
  const shown = cardsMarkdown(cards);
  const sections = sectionsOf(without(diff, new Set(cards.map(({ item }) => item.id))), LETTERING).map((section) => {
    const { key, title, level } = section;
    const entries = key === 'stale_by_change' ? staleByFile(diff) : section.lines;
    return { title, entries, isOpen: level === 'error' };
  });
  const texts = collapsed(sections, LONGEST_REPORT - shown.length);
  const of = (isOpen: boolean) => texts.filter((_, i) => sections[i]?.isOpen === isOpen).join('\n');
  const size = diff.size.records === 0 ? '' : `${counted(diff.size.records, 'new file')}, ${diff.size.bytes} bytes.\n`;
  return ['### Memory\n', `${summaryOf(diff)}\n`, of(true), shown, of(false), size].filter(Boolean).join('\n');
}

/** The lists without the records that are shown in full. */
function without(diff: MemoryDiff, carded: Set<string>): MemoryDiff {
  const isListed = ({ id }: { id: string }) => !carded.has(id);
  return { ...diff, added: diff.added.filter(isListed), edited: diff.edited.filter(isListed) };
}

/** What happened to each file, with the records that cite it: people who changed a file look for that file. */
function staleByFile({ stale_by_change }: MemoryDiff): string[] {
  const byFile = new Map<string, string[]>();
  for (const one of stale_by_change) {
    for (const file of one.files) byFile.set(file, [...(byFile.get(file) ?? []), LETTERING.title(one)]);
  }
  return [...byFile].map(([file, titles]) => {
    const more = titles.length - MOST_TITLES;
    const lines = [...titles.slice(0, MOST_TITLES), ...(more > 0 ? [`and ${more} more`] : [])];
    return `${quoted(file)}\n${lines.map((title) => `  - ${title}`).join('\n')}`;
  });
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
 * New and changed observations for a reviewer: author, content, cited files and what each one replaces. Those beyond
 * the first, and those mined from the history, are named in a list that opens on a click.
 */
function cardsMarkdown(cards: RecordCard[]): string {
  const mined = cards.filter(({ author }) => author === 'bootstrap');
  const others = cards.filter(({ author }) => author !== 'bootstrap');
  const shown: { card: RecordCard; text: string }[] = [];
  let room = ROOM;
  for (const card of others.slice(0, UNFOLDED)) {
    const text = cardMarkdown(card);
    if (text.length > room) break;
    room -= text.length;
    shown.push({ card, text });
  }
  const open = (title: string, isWanted: (card: RecordCard) => boolean) => {
    const texts = shown.filter(({ card }) => isWanted(card)).map(({ text }) => text);
    return texts.length === 0 ? '' : foldedList(title, texts, true);
  };
  return [
    open('Edited by hand', ({ changes }) => changes.length > 0),
    open('Added', ({ changes }) => changes.length === 0),
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
  const { item, author, by, session, narrative, facts, files, replaces, changes } = card;
  const about = [
    `${author} ${quoted(by)}`,
    session && `session ${quoted(session)}`,
    changes.length > 0 && `changed: ${quotedAll(changes)}`,
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
  return `${quoted(title)}${type ? ` ${quoted(type)}` : ''} ${quoted(id)}`;
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
