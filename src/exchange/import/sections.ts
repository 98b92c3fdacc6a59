/** A part of a Markdown document under one heading. */
export interface Section {
  /** Empty for what stands before the first heading. */
  heading: string;
  narrative: string;
  /** Items of its lists, where it has no parts of its own. */
  facts: string[];
}

/** A document by its headings. */
export interface SectionedNote {
  /** The first heading of level one. */
  title: string;
  sections: Section[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^(#{1,2})[ \t]+(\S.*)$/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$/;

/**
 * Splits a note at its headings of levels one and two, line by line: a Markdown parser takes quadratic time on hostile
 * text. Headings inside code blocks are text.
 */
export function sectionsOf(text: string): SectionedNote {
  let title = '';
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const heading = fence === '' ? HEADING.exec(line) : null;
    fence = fenceAfter(line, fence);
    if (heading === null) {
      parts.at(-1)?.lines.push(line);
      continue;
    }
    const words = headingWords(heading[2] ?? '');
    if (heading[1] === '#' && title === '') title = words;
    else parts.push({ heading: words, lines: [] });
  }
  const sections = parts.map(({ heading, lines }) => ({ heading, ...divided(lines) }));
  return { title, sections: sections.filter(({ narrative, facts }) => narrative !== '' || facts.length > 0) };
}

/** Text without the parts from each `open` to its `close`; one that is never closed is left as it is. */
export function withoutParts(text: string, open: string, close: string): string {
  let result = '';
  for (let at = 0; ; ) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return result + text.slice(at);
    result += text.slice(at, start);
    at = end + close.length;
  }
}

function fenceAfter(line: string, fence: string): string {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === '') return mark;
  return mark.startsWith(fence) && line.trim() === mark ? '' : fence;
}

function headingWords(text: string): string {
  return text
    .trimEnd()
    .replace(/(?:^|[ \t])#{1,20}$/, '')
    .trim();
}

/** Prose and list items. Where parts of parts or code stand between them, their order means something and is kept. */
function divided(lines: string[]): Omit<Section, 'heading'> {
  const whole = lines.join('\n').trim();
  if (lines.some((line) => FENCE.test(line) || /^#{3,6}[ \t]/.test(line))) return { narrative: whole, facts: [] };
  const prose: string[] = [];
  const facts: string[] = [];
  let isInItem = false;
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) facts.push(item.trimEnd());
    else if (isInItem && /^[ \t]+\S/.test(line)) facts.push(`${facts.pop()}\n${line.trim()}`);
    else if (line.trim() !== '' || !isInItem) prose.push(line);
    isInItem = item !== undefined || (isInItem && /^(?:[ \t]|$)/.test(line));
  }
  return { narrative: prose.join('\n').trim(), facts };
}
