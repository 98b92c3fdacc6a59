import { type MarkdownLine, markdownLines } from '../../../memory/markdown-lines.ts';
import { oneLine } from '../../../memory/record.ts';
import type { Page, Quote } from './page.ts';

/** A part of a page, from one heading to the next. */
export interface Section {
  path: string;
  heading: string;
  /** Line of the heading, from 1. */
  line: number;
  level: number;
  /** Its sentences and list items, in order, each with its first line. */
  sentences: (Quote & { isItem: boolean })[];
  /** Lines of its code blocks. */
  code: Quote[];
}

const UNDERLINE = /^([=\-~^"'*+#.])\1{2,}\s*$/;
const ITEM = /^\s*(?:[-*+]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** Splits Markdown and reStructuredText by lines; other markup gives one section. */
export function sectionsOf({ path, lines }: Page): Section[] {
  const reader = createReader(path);
  let isComment = false;
  for (const line of markdownLines(lines)) {
    const { kind, text, number } = line;
    if (kind === 'code') reader.code(text, number);
    else if (kind === 'fence') reader.endParagraph();
    else if (isComment || /^\s*<!--/.test(text)) {
      reader.endParagraph();
      isComment = !text.includes('-->');
    } else reader.line(line, lines[number] ?? '');
  }
  reader.endParagraph();
  return reader.sections;
}

function createReader(path: string) {
  let current: Section = { path, heading: '', line: 1, level: 0, sentences: [], code: [] };
  const sections = [current];
  let paragraph: { parts: { text: string; line: number }[]; isItem: boolean } = { parts: [], isItem: false };

  function endParagraph(): void {
    current.sentences.push(...sentencesOf(path, paragraph));
    paragraph = { parts: [], isItem: false };
  }

  function open(heading: string, line: number, level: number): void {
    endParagraph();
    current = { path, heading: plain(heading), line, level, sentences: [], code: [] };
    sections.push(current);
  }

  function add(text: string, line: number): void {
    if (ITEM.test(text)) {
      endParagraph();
      paragraph.isItem = true;
    }
    paragraph.parts.push({ text: text.replace(ITEM, '').replace(/^\s*>\s?/, ''), line });
  }

  return {
    sections,
    endParagraph,
    code: (text: string, line: number) => current.code.push({ path, line, text: text.trim() }),
    line({ text, number: line, level, words }: MarkdownLine, next: string): void {
      const isFirst = paragraph.parts.length === 0;
      const heading = level > 0 ? { text: words, level } : headingOf(text, isFirst ? next : '');
      const isEnd = UNDERLINE.test(text) || text.trim() === '' || /^\s*(?:\.\. |\||>\s*\[!)/.test(text);
      if (heading) open(heading.text, line, heading.level);
      else if (isEnd) endParagraph();
      else if (/^ {4,}\S|^\t\S/.test(text) && paragraph.parts.length === 0) {
        current.code.push({ path, line, text: text.trim() });
      } else add(text, line);
    },
  };
}

/** A heading with an underline, or with AsciiDoc's marks. */
function headingOf(text: string, next: string): { text: string; level: number } | undefined {
  if (UNDERLINE.test(next) && /^\S/.test(text) && !UNDERLINE.test(text)) {
    return { text, level: next.startsWith('=') ? 1 : 2 };
  }
  const marks = /^(={1,6})\s+(\S.+)$/.exec(text);
  return marks === null ? undefined : { text: marks[2] ?? '', level: marks[1]?.length ?? 1 };
}

/** Sentences, each with its first line. */
function sentencesOf(
  path: string,
  { parts, isItem }: { parts: { text: string; line: number }[]; isItem: boolean },
): Section['sentences'] {
  const starts: { at: number; line: number }[] = [];
  let text = '';
  for (const part of parts) {
    starts.push({ at: text.length, line: part.line });
    text += `${oneLine(part.text)} `;
  }
  const found: Section['sentences'] = [];
  let at = 0;
  for (const sentence of text.split(
    /(?<=[.!?][)"'*_]{0,2})(?<!\b(?:e\.g|i\.e|etc|vs|cf)\.)\s+(?=["'([`*_]*[\p{Lu}\d`])/u,
  )) {
    const begin = text.indexOf(sentence, at);
    at = begin + sentence.length;
    const line = starts.findLast((start) => start.at <= begin)?.line ?? parts[0]?.line ?? 1;
    if (sentence.trim() !== '') found.push({ path, line, text: sentence.trim(), isItem });
  }
  return found;
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
