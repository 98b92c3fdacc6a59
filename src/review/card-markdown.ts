import { foldedList, quoted, quotedAll } from './markdown.ts';
import type { RecordCard } from './record-card.ts';

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
export function cardsMarkdown(cards: RecordCard[]): string {
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
export function headOf({ title, type, id }: RecordCard['item']): string {
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
