/** A paragraph, list item or table row of a message, freed of its Markdown dress. */
interface Block {
  text: string;
  /** The heading, or the line ending in a colon, that it stands under; empty where there is none. */
  heading: string;
  kind: 'paragraph' | 'item' | 'row';
}

/** More than any message that a person would read; what follows is left out. */
const MAX_CHARS = 40_000;
const MAX_BLOCKS = 400;

const FENCE = /^\s{0,8}(```+|~~~+)/u;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/u;
const BOLD_LINE = /^\s{0,3}\*\*([^*]{2,80}?):?\*\*:?\s*$/u;
const ITEM = /^(\s{0,12})(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/u;
const ROW = /^\s*\|.*\|\s*$/u;
const RULE = /^[\s|:*_-]+$/u;

/** Takes a Markdown message apart. Code blocks and comments are left out: they are material, not statements. */
export function blocksOf(message: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let lead = '';
  let open: Block | undefined;
  let fence = '';
  let columns: string[] = [];
  const close = () => {
    if (open && open.text.trim() !== '') blocks.push({ ...open, text: plainText(open.text) });
    open = undefined;
  };

  for (const raw of withoutComments(message.slice(0, MAX_CHARS)).split('\n')) {
    if (blocks.length >= MAX_BLOCKS) break;
    const line = raw.replace(/^\s{0,3}(?:>\s?)+/u, '');
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '' || mark !== undefined) {
      if (fence === '') fence = mark ?? '';
      else if (mark !== undefined && line.trim().startsWith(fence)) fence = '';
      close();
      continue;
    }
    if (line.trim() === '') {
      // A line ending in a colon still leads the list that follows after a blank line.
      if (open?.kind === 'paragraph' && open.text.trimEnd().endsWith(':')) lead = plainText(open.text);
      close();
      columns = [];
      continue;
    }
    const title = HEADING.exec(line)?.[1] ?? BOLD_LINE.exec(line)?.[1];
    if (title !== undefined) {
      close();
      heading = plainText(title);
      lead = '';
      continue;
    }
    if (ROW.test(line)) {
      close();
      const cells = line
        .trim()
        .slice(1, -1)
        .split('|')
        .map((cell) => plainText(cell));
      if (RULE.test(line)) continue;
      if (columns.length === 0) columns = cells;
      else blocks.push({ text: rowText(columns, cells), heading, kind: 'row' });
      continue;
    }
    if (RULE.test(line)) {
      close();
      continue;
    }
    const item = ITEM.exec(line);
    if (item) {
      if (open?.kind === 'paragraph' && open.text.trimEnd().endsWith(':')) lead = plainText(open.text);
      close();
      open = { text: item[2] ?? '', heading: lead || heading, kind: 'item' };
    } else if (open) {
      open.text += ` ${line.trim()}`;
    } else {
      if (!/^\s/u.test(raw)) lead = '';
      open = { text: line.trim(), heading: lead || heading, kind: 'paragraph' };
    }
  }
  close();
  return blocks.filter(({ text }, index) => !leadsNext(text, blocks[index + 1]));
}

/** A line like "What changed:" only announces the list after it. */
function leadsNext(text: string, next: Block | undefined): boolean {
  return text.endsWith(':') && next !== undefined && next.kind !== 'paragraph' && next.heading === text;
}

function rowText(columns: string[], cells: string[]): string {
  const [first = '', ...rest] = cells;
  if (rest.length <= 1) return [first, ...rest].filter(Boolean).join(': ');
  const parts = rest.flatMap((cell, index) => (cell === '' ? [] : [`${columns[index + 1] ?? ''} ${cell}`.trim()]));
  return parts.length > 0 ? `${first}: ${parts.join(', ')}` : first;
}

/** Cuts out HTML comments by index, since a regular expression over an unclosed one would walk the text again and again. */
function withoutComments(text: string): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<!--', at);
    if (start < 0) return out + text.slice(at);
    out += text.slice(at, start);
    const end = text.indexOf('-->', start + 4);
    if (end < 0) return out;
    at = end + 3;
  }
  return out;
}

/** One line without emphasis, links, tags and ornaments; code spans stay. */
function plainText(text: string): string {
  return outsideCode(text, (part) =>
    part
      .replace(/!\[[^\]\n]{0,200}\]\([^)\s]{0,500}\)/gu, '')
      .replace(/\[([^\]\n]{1,200})\]\([^)\s]{0,500}\)/gu, '$1')
      .replace(/<\/?[a-z][\w-]{0,40}(?:\s[^<>]{0,200})?>/giu, ' ')
      .replace(/(?<![\w*])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\w*])/gu, '')
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
