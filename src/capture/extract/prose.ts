import { markdownLines } from '../../memory/markdown-lines.ts';
import { COMMENT, withoutParts } from '../../privacy/sanitise.ts';

/** Characters beyond any message that a person would read; the rest is left out. */
const MAX_CHARS = 40_000;

const ITEM = /^\s{0,12}(?:[-*+•]|`?\d{1,3}[.)]`?)\s+/u;
/** Table rows, rules, quotations, bold labels, a host's directive to its own window (`::git-commit{...}`), indented code. */
const NO_PROSE = /^\s{0,3}\*\*[^*]{2,80}\*\*:?\s*$|^\s*\|.*\|\s*$|^[\s|:*_=-]+$|^\s{0,3}>|^::[\w-]+\{|^(?: {4}|\t)/u;

/** A line of a message. `other`: code, tables, headings, labels, quotations and comments, which are not the author's own words. */
export interface ProseLine {
  kind: 'words' | 'item' | 'blank' | 'other';
  /** Without an item's bullet or number. */
  text: string;
}

/** The lines of a Markdown message. */
export function proseIn(message: string): ProseLine[] {
  const prose = withoutParts(message.slice(0, MAX_CHARS), { ...COMMENT, unclosed: 'dropped' });
  return [...markdownLines(prose.split('\n'))].map(({ kind, text }): ProseLine => {
    if (text.trim() === '') return { kind: 'blank', text };
    if (kind !== 'text') return { kind: 'other', text };
    if (ITEM.test(text)) return { kind: 'item', text: text.replace(ITEM, '') };
    return { kind: NO_PROSE.test(text) ? 'other' : 'words', text };
  });
}

/** HTML elements found in Markdown answers and requests; a placeholder such as `<branch>` is a word of the text. */
const ELEMENT =
  /<\/?(?:a|abbr|b|big|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video)(?:\s[^<>]{0,200})?\/?>/giu;

/** One line without emphasis, link targets, elements and decorative emoji; code spans stay. */
export function plainText(text: string): string {
  const parts = text.split(/(`[^`]*`)/u).map((part, index) =>
    index % 2 === 1
      ? part
      : part
          .replace(/!?\[([^\]\n]{0,200})\]\([^)\s]{0,500}\)/gu, '$1')
          .replace(ELEMENT, ' ')
          .replace(/(?<!\w)(?:\*{1,3}|__)(?=\S)|(?<=\S)(?:\*{1,3}|__)(?!\w)/gu, '')
          .replace(/^(?:\s|\p{Extended_Pictographic}|\ufe0f|\u200d)+(?=\s)|\p{Extended_Pictographic}\ufe0f?\s*$/gu, ''),
  );
  return parts.join('').replace(/\s+/gu, ' ').trim();
}
