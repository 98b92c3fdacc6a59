import { markdownLines } from '../../../memory/markdown-lines.ts';
import { COMMENT, withoutParts } from '../../../privacy/sanitise.ts';

/** A paragraph or list item of a message, without its Markdown. */
export interface Block {
  text: string;
  /** The heading, or the line ending in a colon, that it is under; empty where there is none. */
  lead: string;
  kind: 'paragraph' | 'item';
  /** A list item nested in another one. */
  isWithin: boolean;
}

/** Characters, and parts, beyond any message that a person would read; the rest is left out. */
const MAX_CHARS = 40_000;
const MAX_BLOCKS = 400;

const BOLD_LINE = /^\s{0,3}\*\*([^*]{2,80}?):?\*\*:?\s*$/u;
const ITEM = /^(\s{0,12})(?:[-*+•]|`?\d{1,3}[.)]`?)\s+(?:\[[ xX]\]\s+)?(.*)$/u;
const TABLE_ROW = /^\s*\|.*\|\s*$/u;
const RULE = /^[\s|:*_-]+$/u;
const QUOTE = /^\s{0,3}>/u;
/** A file, a command or an identifier alone. */
const NAME = /^(?:`[^`\s]+`|(?=[\w-]*[./_])[\w./-]+)$/u;
/** A host's directive to its own window: `::git-commit{...}`. */
const DIRECTIVE = /^::[\w-]+\{/u;

/**
 * Splits a Markdown message into blocks. Code, tables, quotations and comments are left out: they are quoted material,
 * not the author's own words.
 */
export function blocksOf(message: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let lead = '';
  let open: Block | undefined;
  const close = () => {
    if (open !== undefined && open.text.trim() !== '') blocks.push({ ...open, text: plainText(open.text) });
    open = undefined;
  };
  let indent = 0;
  const isWithin = (by: number) => {
    const within = by > indent && blocks.at(-1)?.kind === 'item';
    if (!within) indent = by;
    return within;
  };
  const announced = () => {
    if (open?.kind === 'paragraph' && open.text.trimEnd().endsWith(':')) lead = plainText(open.text);
  };

  const prose = withoutParts(message.slice(0, MAX_CHARS), { ...COMMENT, unclosed: 'dropped' });
  for (const { kind, text: line, words } of markdownLines(prose.split('\n'))) {
    if (blocks.length >= MAX_BLOCKS) break;
    if (kind === 'fence' || kind === 'code') {
      close();
      continue;
    }
    const title = kind === 'heading' ? words : BOLD_LINE.exec(line)?.[1];
    if (line.trim() === '' || TABLE_ROW.test(line) || RULE.test(line) || QUOTE.test(line) || DIRECTIVE.test(line)) {
      announced();
      close();
      continue;
    }
    if (title !== undefined) {
      close();
      heading = plainText(title);
      lead = '';
      continue;
    }
    const item = ITEM.exec(line);
    if (item !== null) {
      announced();
      close();
      open = { text: item[2] ?? '', lead: lead || heading, kind: 'item', isWithin: isWithin(item[1]?.length ?? 0) };
    } else if (open !== undefined) {
      // An item that is only a name continues below it.
      open.text += `${open.kind === 'item' && NAME.test(plainText(open.text)) ? ':' : ''} ${line.trim()}`;
    } else {
      lead = '';
      open = { text: line.trim(), lead: heading, kind: 'paragraph', isWithin: false };
    }
  }
  close();
  return blocks;
}

/** One line without emphasis, link targets, tags and ornaments; code spans stay. */
export function plainText(text: string): string {
  return outsideCode(text, (part) =>
    part
      .replace(/!\[[^\]\n]{0,200}\]\([^)\s]{0,500}\)/gu, '')
      .replace(/\[([^\]\n]{1,200})\]\([^)\s]{0,500}\)/gu, '$1')
      .replace(/<\/?[a-z][\w-]{0,40}(?:\s[^<>]{0,200})?>/giu, ' ')
      .replace(/(?<!\w)\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?!\w)/gu, '')
      .replace(/(?<![\w_])__(?=\S)|(?<=\S)__(?![\w_])/gu, '')
      .replace(/^(?:\s|\p{Extended_Pictographic}|\ufe0f|\u200d)+(?=\s)/u, '')
      .replace(/\p{Extended_Pictographic}\ufe0f?\s*$/u, ''),
  )
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Applies `change` to everything outside `code spans`. */
function outsideCode(text: string, change: (part: string) => string): string {
  const parts = text.split('`');
  // An odd last backtick opens nothing.
  const closed = parts.length % 2 === 1 ? parts.length : parts.length - 1;
  return parts.map((part, index) => (index % 2 === 1 && index < closed ? part : change(part))).join('`');
}
