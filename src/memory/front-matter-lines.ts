/** A file's text with line feeds only and no byte order mark. */
export function plainLines(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n');
}

/**
 * The end of the front matter in plain lines: the line feed before its second line of dashes; undefined if there is no
 * such line. gray-matter accepts any line that begins with `---`, and the end of the file; a truncated file must not
 * pass.
 */
export function endOfFrontMatter(source: string): number | undefined {
  const end = source.startsWith('---\n') ? source.indexOf('\n---', 3) : -1;
  const line = end < 0 ? undefined : source.slice(end + 1).split('\n', 1)[0];
  return line?.trimEnd() === '---' ? end : undefined;
}

/** A file as it is shown: the unparsed text between its two lines of dashes, and the text after them. */
export function frontAndBody(text: string): { front: string; body: string } {
  const source = plainLines(text);
  const end = endOfFrontMatter(source);
  if (end === undefined) return { front: '', body: source };
  const next = source.indexOf('\n', end + 1);
  return { front: source.slice(4, end), body: next < 0 ? '' : source.slice(next + 1).trim() };
}
