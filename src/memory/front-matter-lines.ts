import type { YamlValue } from './record.ts';

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

/** Writes `key: value` lines between two `---`; the values must be encoded already. */
export function joinFrontMatter(lines: string[], body: string): string {
  return `---\n${lines.join('\n')}\n---\n${body === '' ? '' : `\n${body}\n`}`;
}

/** A YAML double-quoted scalar that every YAML reader takes for this string. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A value in YAML's flow style, which is JSON with the strings escaped for YAML. */
export function flow(value: YamlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, entry]) => `${quoted(key)}: ${flow(entry)}`)
    .join(', ')}}`;
}
