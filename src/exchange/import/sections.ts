import { type MarkdownLine, markdownLines } from '../../memory/markdown-lines.ts';

/** A part of a Markdown document under one heading. */
export interface Section {
  /** Empty for the part before the first heading. */
  heading: string;
  narrative: string;
  /** Items of its lists, if it has no subsections. */
  facts: string[];
}

/** A document split by its headings. */
export interface SectionedNote {
  /** The first heading of level one. */
  title: string;
  sections: Section[];
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$/;

/** Splits a note at its headings of levels one and two. */
export function sectionsOf(text: string): SectionedNote {
  let title = '';
  const parts: { heading: string; lines: MarkdownLine[] }[] = [{ heading: '', lines: [] }];
  for (const line of markdownLines(text.split(/\r?\n/))) {
    const { level, words } = line;
    if (level === 1 && title === '') title = words;
    else if (level === 1 || level === 2) parts.push({ heading: words, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  const sections = parts.map(({ heading, lines }) => ({ heading, ...divided(lines) }));
  return { title, sections: sections.filter(({ narrative, facts }) => narrative !== '' || facts.length > 0) };
}

/** Prose and list items. If subsections or code come between them, their order is meaningful and is kept. */
function divided(all: MarkdownLine[]): Omit<Section, 'heading'> {
  const lines = all.map(({ text }) => text);
  if (all.some(({ kind }) => kind !== 'text')) return { narrative: lines.join('\n').trim(), facts: [] };
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
