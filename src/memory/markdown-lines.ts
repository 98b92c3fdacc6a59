// Markdown line by line, for texts of any length and origin: a parser takes quadratic time on hostile ones.

/** A line of Markdown. `fence` opens or closes a code block, `code` is in one. */
export interface MarkdownLine {
  kind: 'text' | 'heading' | 'fence' | 'code';
  text: string;
  /** From 1. */
  number: number;
  /** For a `#` heading, its level, and its words without the marks at either end; else 0 and nothing. */
  level: number;
  words: string;
}

/** Fences of list items are indented. */
const FENCE = /^[ \t]{0,8}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;

/** Splits text into lines; headings in code blocks are code. */
export function* markdownLines(lines: readonly string[]): Generator<MarkdownLine> {
  let fence = '';
  for (const [i, text] of lines.entries()) {
    const line = { text, number: i + 1, level: 0, words: '' };
    const mark = FENCE.exec(text)?.[1] ?? '';
    const heading = HEADING.exec(text);
    if (fence !== '') {
      const isEnd = mark.startsWith(fence) && text.trim() === mark;
      if (isEnd) fence = '';
      yield { ...line, kind: isEnd ? 'fence' : 'code' };
    } else if (mark !== '') {
      fence = mark;
      yield { ...line, kind: 'fence' };
    } else if (heading === null) yield { ...line, kind: 'text' };
    else yield { ...line, kind: 'heading', level: heading[1]?.length ?? 1, words: headingWords(heading[2] ?? '') };
  }
}

function headingWords(text: string): string {
  return text
    .trimEnd()
    .replace(/(?:^|[ \t])#{1,20}$/, '')
    .trim();
}
