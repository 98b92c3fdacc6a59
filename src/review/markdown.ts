import { cut } from '../memory/clamp.ts';
import { sanitiseForTerminal } from '../privacy/sanitise.ts';

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

/** A line as a code span. */
export function codeSpan(line: string): string {
  const ticks = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(ticks + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** One list of a report; title and entries are Markdown already, and the title is our own text. */
export interface Section {
  title: string;
  entries: string[];
  isOpen: boolean;
}

/**
 * Longest report, in UTF-16 units: GitHub accepts comments of 65,536 characters, and the job that posts it adds a line.
 */
export const LONGEST_REPORT = 60_000;

/** A list that opens on a click, or is open; entries may continue on indented lines. */
export function foldedList(title: string, entries: string[], isOpen = false): string {
  return folded({ title, entries, isOpen }, entries.length);
}

/** Sections that open on a click, without empty ones, with as many entries of each as fit. */
export function collapsible(sections: Section[]): string {
  return collapsed(sections, LONGEST_REPORT).join('\n');
}

/** The same as a list; a section without entries gives an empty string. */
export function collapsed(sections: Section[], room: number): string[] {
  // Fewer of each until all fit: the first number is what a reader may still go through.
  for (const most of [25, 10, 4, 1]) {
    const texts = sections.map((section) => (section.entries.length === 0 ? '' : folded(section, most)));
    if (texts.reduce((sum, text) => sum + text.length + 1, 0) <= room) return texts;
  }
  return sections.map((section) => (section.entries.length === 0 ? '' : folded(section, 0)));
}

function folded({ title, entries, isOpen }: Section, most: number): string {
  const more = entries.length - most;
  const list = [...entries.slice(0, most), ...(more > 0 ? [`and ${more} more.`] : [])];
  const items = list.map((entry) => `- ${entry}`).join('\n');
  // The blank line makes the host read Markdown again.
  return `<details${isOpen ? ' open' : ''}><summary>${title} (${entries.length})</summary>\n\n${items}\n\n</details>\n`;
}

/** Ids as they are written in a list. */
export function quotedAll(texts: string[]): string {
  const more = texts.length - 8;
  return `${texts
    .slice(0, 8)
    .map((text) => quoted(text))
    .join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
