import { cut } from '../memory/clamp.ts';
import { oneLine } from '../memory/record.ts';
import { sentencesOf } from '../memory/sentences.ts';
import { sanitiseForTerminal } from '../privacy/sanitise.ts';
import { counted } from '../quantities.ts';
import type { CheckReport } from './check.ts';
import type { MemoryDiff } from './diff.ts';
import { type Lettering, type RecordCard, sectionsOf, summaryOf } from './diff-outline.ts';
import type { Problem } from './problem.ts';

/** Longest text below a record's line, in characters. */
const MOST_SAID = 1000;

const LETTERING: Lettering = {
  title: headOf,
  foreign: quoted,
  list: quotedAll,
  under: (label, text) => `\n  - ${label && `${label} `}${quoted(text, MOST_SAID)}`,
};

/** A diff as a comment on a pull request. No record's text acts as markup in it. */
export function diffMarkdown(diff: MemoryDiff, cards: RecordCard[] = []): string {
  const shown = cardsMarkdown(cards);
  const carded = new Set(cards.map(({ item }) => item.id));
  // Those shown in full are not listed again.
  const listed = { ...diff, added: diff.added.filter(({ id }) => !carded.has(id)) };
  const sections = sectionsOf(listed, LETTERING).map(({ title, level, lines }) => {
    return { title, entries: lines, isOpen: level !== 'info' };
  });
  const texts = collapsed(sections, LONGEST_REPORT - shown.length);
  const of = (isOpen: boolean) => texts.filter((_, i) => sections[i]?.isOpen === isOpen).join('\n');
  const size = diff.size.records === 0 ? '' : `${counted(diff.size.records, 'new file')}, ${diff.size.bytes} bytes.\n`;
  return ['### Memory\n', `${summaryOf(diff)}\n`, of(true), shown, of(false), size].filter(Boolean).join('\n');
}

/** A check as Markdown. */
export function checkMarkdown({ ok, checked, problems }: CheckReport): string {
  const line = ({ path, line: at, message, hint }: Problem) =>
    `${quoted(path)}${at === undefined ? '' : `, line ${at}`}: ${quoted(message)} ${hint && quoted(hint)}`.trimEnd();
  const of = (level: Problem['level']) => problems.filter((one) => one.level === level).map(line);
  const sections = [
    { title: 'Errors', entries: of('error'), isOpen: true },
    { title: 'Warnings', entries: of('warn') },
  ];
  const state = ok ? 'nothing has to be fixed' : `${of('error').length} to be fixed`;
  const head = ['### Memory check\n', `${counted(checked, 'file')}: ${state}.\n`];
  return [...head, ...collapsed(sections, LONGEST_REPORT)].filter(Boolean).join('\n');
}

/** Records shown in full without a click: as many as a reviewer reads in one go. */
const UNFOLDED = 20;

/** Longest text of all of them together, in UTF-16 units: the other half of a comment is for the lists. */
const ROOM = 30_000;

/** Per record: passages shown at once, as a narrative and two facts, and the longest one in characters. */
const FIRST = { passages: 3, characters: 400 } as const;

/** New observations in full; those beyond the first, and those mined from the history, are named in a folded list. */
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
  const added = folded({ title: 'Added', entries: shown, isOpen: true });
  const named = [namesOf('More records', others.slice(shown.length)), namesOf('Mined from the history', mined)];
  return [added, ...named].filter(Boolean).join('\n');
}

/** A folded list of at most 40 titles. */
function namesOf(title: string, cards: RecordCard[]): string {
  const lines = cards.slice(0, 40).map(({ item, by }) => `${headOf(item)}, by ${quoted(by)}`);
  const more = cards.length - lines.length;
  return folded({ title, entries: more > 0 ? [...lines, `and ${more} more.`] : lines });
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
  const cited = files.map(({ path, link }) => (link === undefined ? quoted(path) : `[${quoted(path)}](${link})`));
  return [
    `**${quoted(item.title)}** ${quoted(item.type ?? '')} ${quoted(item.id)}`,
    `  - ${about.join(', ')}`,
    ...passages.slice(0, FIRST.passages).map((passage) => `  - ${passage}`),
    ...(cited.length > 0 ? [`  - cites ${cited.join(', ')}`] : []),
    ...(rest.length > 0 ? ['', folded({ title: 'The rest', entries: rest }).replace(/^(?=.)/gm, '  ')] : []),
  ].join('\n');
}

/** The line that names a record in a list. */
function headOf({ title, type, id }: RecordCard['item']): string {
  // A mark's title begins with its type.
  return `${quoted(title)}${type && !title.startsWith(`${type} `) ? ` ${quoted(type)}` : ''} ${quoted(id)}`;
}

/** Paragraphs short enough for a comment: a code span cuts off longer text. */
function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => chunks(oneLine(paragraph)));
}

function chunks(paragraph: string): string[] {
  const pieces: string[] = [];
  for (const sentence of sentencesOf(paragraph)) {
    const longer = `${pieces.at(-1) ?? ''} ${sentence}`.trim();
    if (longer.length <= FIRST.characters) pieces.splice(-1, 1, longer);
    else pieces.push(sentence);
  }
  return pieces;
}

/** Longest piece of foreign text shown in one place, in characters: more than any title, and enough of a sentence. */
const LONGEST = 200;

/**
 * Foreign text as Markdown that only displays it: a code span, in which no HTML, link, image, mention or reference
 * works, fenced by more backticks than it contains. Escaping would not be enough: hosts look for mentions after
 * rendering, when the escapes are gone.
 */
export function quoted(text: string, longest = LONGEST): string {
  const line = sanitiseForTerminal(text).replace(/\s+/gu, ' ').trim();
  return line === '' ? '(empty)' : codeSpan(cut(line, longest));
}

function codeSpan(line: string): string {
  const ticks = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(ticks + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** One list of a report; title and entries are Markdown already, and the title is our own text. */
interface Section {
  title: string;
  entries: string[];
  isOpen?: boolean;
}

/** Longest report, in UTF-16 units: GitHub accepts comments of 65,536 characters, and the posting job adds a line. */
const LONGEST_REPORT = 60_000;

/** Sections that open on a click, with as many entries of each as fit; empty sections become empty texts. */
function collapsed(sections: Section[], room: number): string[] {
  const texts = (most: number) => sections.map((section) => folded(section, most));
  // Fewer of each until all fit: the first number is what a reader may still go through.
  const fits = [25, 10, 4, 1].find((most) => texts(most).join('\n').length < room);
  return texts(fits ?? 0);
}

/** A list that opens on a click, or is open; entries may continue on indented lines. */
function folded({ title, entries, isOpen = false }: Section, most = entries.length): string {
  if (entries.length === 0) return '';
  const more = entries.length - most;
  const list = [...entries.slice(0, most), ...(more > 0 ? [`and ${more} more.`] : [])];
  const items = list.map((entry) => `- ${entry}`).join('\n');
  // The blank line makes the host read Markdown again.
  return `<details${isOpen ? ' open' : ''}><summary>${title} (${entries.length})</summary>\n\n${items}\n\n</details>\n`;
}

/** Ids as they are written in a list. */
function quotedAll(texts: string[]): string {
  const some = texts.slice(0, 8).map((text) => quoted(text));
  return `${some.join(', ')}${texts.length > 8 ? ` and ${texts.length - 8} more` : ''}`;
}
