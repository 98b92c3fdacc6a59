import { type MarkdownLine, markdownLines } from '../../memory/markdown-lines.ts';
import { oneLine } from '../../memory/record.ts';
import type { Page, Quote } from './page.ts';

/** A paragraph or a list item, on one line. */
export interface Block extends Quote {
  /** What introduces a list item, `-`, `1.` or `- [ ]`; empty for a paragraph. */
  mark: string;
  /** It is below a list item, which it belongs to. */
  isNested: boolean;
  /** It is in a block quotation, whose words are an example or another's. */
  isQuotation: boolean;
}

/** A part of a page, from one heading to the next. */
export interface Section {
  path: string;
  heading: string;
  /** Line of the heading, from 1. */
  line: number;
  level: number;
  blocks: Block[];
  /** Lines of its code blocks, as far as they may be commands. */
  code: Quote[];
}

const UNDERLINE = /^([=\-~^"'*+#.])\1{2,}\s*$/;
const ITEM = /^\s*((?:[-*+]|(?:\d{1,2}|#)[.)])(?=\s)(?:\s+\[[ xX]\](?=\s))?)\s+/;
/** The languages of blocks with commands; many blocks have none. */
const SHELL = /^\s*[`~]+\s*(?:\{?\.?(?:sh|bash|zsh|shell|console|terminal|text|nu|nushell|powershell|fish)\b.*)?$/i;
const QUOTATION = /^\s*>\s?/;
const BREAK = /<\/?br\s*\/?>/gi;

/** Splits Markdown and reStructuredText by lines; other markup gives one section. */
export function sectionsOf({ path, lines }: Page): Section[] {
  let current: Section = { path, heading: '', line: 1, level: 0, blocks: [], code: [] };
  const sections = [current];
  let block: Block | undefined;
  // The column of the items of the current list; undefined outside of a list.
  let column: number | undefined;
  let isComment = false;
  let isShell = true;
  const isRst = /\.rst$/i.test(path);
  // The marks of underlines, topmost first: reStructuredText takes them in the order of a page.
  const marks = isRst ? [] : ['=', '-'];
  const bodyAt = /^---\s*$/.test(lines[0] ?? '') ? lines.indexOf('---', 1) + 1 : 0;

  function add(text: string, line: number): void {
    const mark = ITEM.exec(text)?.[1] ?? '';
    const isQuotation = QUOTATION.test(text);
    const words = oneLine(text.replace(ITEM, '').replace(QUOTATION, '').replace(BREAK, ' '));
    if (block && mark === '' && block.isQuotation === isQuotation) {
      block.text += ` ${words}`;
      return;
    }
    const indent = /^\s*/.exec(text)?.[0].length ?? 0;
    if (mark === '' && indent < 2) column = undefined;
    const isNested = mark === '' ? indent >= 2 : indent > (column ?? indent);
    if (mark !== '') column = Math.min(column ?? indent, indent);
    block = { path, line, text: words, mark, isNested, isQuotation };
    current.blocks.push(block);
  }

  function addLine({ text, number, level, words }: MarkdownLine): void {
    const heading =
      level > 0 ? { text: words, level } : block ? undefined : headingOf(text, lines[number] ?? '', marks);
    const isEnd = UNDERLINE.test(text) || text.trim() === '' || /^\s*(?:\.\. |\||>\s*(?:\[!|$))/.test(text);
    if (heading || isEnd) block = undefined;
    if (heading) {
      column = undefined;
      current = { path, heading: plain(heading.text), line: number, level: heading.level, blocks: [], code: [] };
      sections.push(current);
    } else if (!isEnd && !block && !ITEM.test(text) && /^ {4,}\S|^\t\S/.test(text)) {
      current.code.push({ path, line: number, text: text.trim() });
    } else if (!isEnd) add(text, number);
  }

  for (const line of isRst ? plainLines(lines) : markdownLines(lines)) {
    const { kind, text, number } = line;
    if (number <= bodyAt) continue;
    // What closes a block has no language, so that indented code counts.
    if (kind === 'fence') isShell = SHELL.test(text);
    if (kind === 'code' && isShell) current.code.push({ path, line: number, text: text.trim() });
    if (kind === 'code' || kind === 'fence') block = undefined;
    else if (isComment || /^\s*<!--/.test(text)) {
      block = undefined;
      isComment = !text.includes('-->');
    } else addLine(line);
  }
  return sections;
}

/** Lines of a markup without fences, where three tildes underline a heading. */
function plainLines(lines: string[]): MarkdownLine[] {
  return lines.map((text, i) => ({ kind: 'text', text, number: i + 1, level: 0, words: '' }));
}

/** A heading with an underline, whose mark is put to `underlines` if it is new, or with AsciiDoc's marks. */
function headingOf(text: string, next: string, underlines: string[]): { text: string; level: number } | undefined {
  const [mark] = UNDERLINE.test(next) && /^\S/.test(text) && !UNDERLINE.test(text) ? next : '';
  if (mark !== undefined) {
    if (!underlines.includes(mark)) underlines.push(mark);
    return { text, level: underlines.indexOf(mark) + 1 };
  }
  const marks = /^(={1,6})\s+(\S.+)$/.exec(text);
  return marks === null ? undefined : { text: marks[2] ?? '', level: marks[1]?.length ?? 1 };
}

/** The sentences of a block. */
export function sentencesIn(text: string): string[] {
  return text.split(/(?<=[.!?][)"'*_]{0,2})(?<!\b(?:e\.g|i\.e|etc|vs|cf)\.)\s+(?=["'([`*_]*[\p{Lu}\d`])/u);
}

/** The paragraph that introduces a list, or the block before a line of code or a paragraph. */
export function leadOf({ blocks }: Section, quote: Quote | Block): Block | undefined {
  const isItem = 'mark' in quote && quote.mark !== '';
  return blocks.findLast((block) => block.line < quote.line && !(isItem && (block.mark !== '' || block.isNested)));
}

/** A heading without markup. */
function plain(heading: string): string {
  return oneLine(
    heading
      .replace(/!?\[([^\]]{0,300})\]\([^)]{0,300}\)/g, '$1')
      .replace(/\{#[^}]{0,300}\}|<[^>]{0,300}>/g, '')
      .replace(/[*_`]{1,3}/g, ''),
  );
}
