import { sanitiseForTerminal } from '../privacy/sanitise.ts';

/** Longest piece of foreign text that is shown in one place, in characters. */
const LONGEST = 200;

/**
 * Foreign text as Markdown that shows it and nothing else: a code span, in which no HTML, link, image, mention or
 * reference works, fenced by more backticks than it holds itself. Escaping would not do: hosts look for mentions after
 * they have rendered, when the escapes are gone.
 */
export function quoted(text: string): string {
  const line = sanitiseForTerminal(text).replace(/\s+/gu, ' ').trim();
  const chars = [...line];
  const short = chars.length > LONGEST ? `${chars.slice(0, LONGEST - 1).join('')}…` : line;
  if (short === '') return '(empty)';
  const longest = Math.max(0, ...Array.from(short.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = short.startsWith('`') || short.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${short}${pad}${fence}`;
}

/** One list of a report; title and entries are Markdown already, the title our own words. */
export interface Section {
  title: string;
  entries: string[];
  isOpen: boolean;
}

/** Longest report, in UTF-16 units: GitHub takes comments of 65,536 characters, and whoever posts it adds a line. */
const LONGEST_REPORT = 60_000;

/** Sections that open on a click, those with nothing in them left out, with as many entries of each as there is room for. */
export function collapsible(sections: Section[]): string {
  const filled = sections.filter(({ entries }) => entries.length > 0);
  for (const most of [25, 10, 4, 1]) {
    const text = filled.map((section) => folded(section, most)).join('\n');
    if (text.length <= LONGEST_REPORT) return text;
  }
  return filled.map((section) => folded(section, 0)).join('\n');
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
  return `${texts.slice(0, 8).map(quoted).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
