import { markdownLines } from '../../memory/markdown-lines.ts';
import { LIMITS } from '../../memory/record.ts';
import { COMMENT, withoutParts } from '../../privacy/sanitise.ts';

/** A paragraph or list item of a message, without its Markdown. */
export interface Block {
  text: string;
  /** The heading, or the line ending in a colon, that it is under; empty where there is none. */
  lead: string;
  kind: 'paragraph' | 'item';
}

/** Characters (some 7,000 words), and parts, beyond any message that a person would read; the rest is left out. */
const MAX_CHARS = 40_000;
const MAX_BLOCKS = 400;

const BOLD_LINE = /^\s{0,3}\*\*([^*]{2,80}?):?\*\*:?\s*$/u;
const ITEM = /^(\s{0,12})(?:[-*+•]|`?\d{1,3}[.)]`?)\s+(?:\[[ xX]\]\s+)?(.*)$/u;
/** Rows of tables, rules, quotations, and a host's directive to its own window: `::git-commit{...}`. */
const NO_PROSE = /^\s*\|.*\|\s*$|^[\s|:*_-]+$|^\s{0,3}>|^::[\w-]+\{/u;
/** A file, a command or an identifier alone. */
const NAME = /^(?:`[^`\s]+`|(?=[\w-]*[./_])[\w./-]+)$/u;
/** The end of a sentence that continues in the list below it. */
export const UNFINISHED =
  /\b(?:by \p{Ll}+ing|now|so it|to|with|for|in|of|are|is|was|were|has|have|includes?|that|and|or|also|by):$/iu;

/**
 * Splits a Markdown message into blocks. A list that ends a sentence, or that is nested in an item, is part of it. Code,
 * tables, quotations and comments are left out: they are quoted material, not the author's own words.
 */
export function blocksOf(message: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let announced = '';
  let open: OpenBlock | undefined;
  const close = () => {
    const text = plainText(open?.text ?? '');
    if (open?.kind === 'paragraph') announced = text.endsWith(':') ? text : '';
    if (open && text !== '') blocks.push({ text, lead: open.lead, kind: open.kind });
    open = undefined;
  };
  const prose = withoutParts(message.slice(0, MAX_CHARS), { ...COMMENT, unclosed: 'dropped' });
  for (const { kind, text: line, words } of markdownLines(prose.split('\n'))) {
    if (blocks.length >= MAX_BLOCKS) break;
    const title = kind === 'heading' ? words : BOLD_LINE.exec(line)?.[1];
    const item = ITEM.exec(line);
    if (title !== undefined) {
      close();
      heading = plainText(title);
      announced = '';
    } else if (kind !== 'text' || NO_PROSE.test(line)) close();
    else if (line.trim() === '') open = open && { ...open, isEnded: true };
    else if (item !== null) {
      const [, { length: indent } = '', text = ''] = item;
      const whole = open && joined(open, text, indent);
      if (open && whole !== undefined) open = { ...open, text: whole, items: open.items + 1, isEnded: false };
      else {
        close();
        open = { text, lead: announced || heading, kind: 'item', indent, items: 0, isEnded: false };
      }
    } else if (open && !open.isEnded) {
      // An item that is only a name continues below it.
      open.text += `${open.kind === 'item' && NAME.test(plainText(open.text)) ? ':' : ''} ${line.trim()}`;
    } else {
      close();
      announced = '';
      open = { text: line.trim(), lead: heading, kind: 'paragraph', indent: 0, items: 0, isEnded: false };
    }
  }
  close();
  return blocks;
}

interface OpenBlock extends Block {
  indent: number;
  /** How many items of a list below it are part of it. */
  items: number;
  /** A blank line followed. */
  isEnded: boolean;
}

/** The block with an item below it; undefined if that is no part of it, or makes it longer than a record can quote. */
function joined({ text, kind, indent, items }: OpenBlock, item: string, itemIndent: number): string | undefined {
  const isPart = kind === 'item' ? itemIndent > indent : items > 0 || UNFINISHED.test(text);
  const whole = text.endsWith(':') ? `${text} ${item}` : `${text.replace(/[.,;]$/u, '')}; ${item}`;
  return isPart && whole.length <= (kind === 'item' ? LIMITS.fact : LIMITS.narrative) ? whole : undefined;
}

/** Elements that Markdown of answers and requests is mixed with; a placeholder such as `<branch>` is a word of the text. */
const ELEMENT =
  /<\/?(?:a|abbr|b|big|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video)(?:\s[^<>]{0,200})?\/?>/giu;

/** One line without emphasis, link targets, elements and ornaments; code spans stay. */
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
