import { styleText } from 'node:util';
import { sanitiseForTerminal, visibleJson } from '../../privacy/sanitise.ts';
import type { Environment } from '../../user-folders.ts';

export type Styling = (style: Parameters<typeof styleText>[0], text: string) => string;

/** Colours text for a stream; not at all without a terminal, or with NO_COLOR. */
export function styler(stream: NodeJS.WriteStream, env: Environment): Styling {
  const coloured = env.FORCE_COLOR
    ? env.FORCE_COLOR !== '0'
    : stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text);
}

/** Record text that is safe for a terminal: no escape sequences, no control characters. */
export function shown(text: string): string {
  return sanitiseForTerminal(text);
}

/** Prints a value as JSON for programs: one document, indented by two spaces, with a final line feed. */
export function printJson(stream: NodeJS.WriteStream, value: unknown): void {
  stream.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}

/** Text cut to a width in columns, with an ellipsis; East Asian wide characters count as two. */
export function fitted(text: string, width: number): string {
  let used = 0;
  let result = '';
  for (const char of text) {
    const columns = columnsOf(char);
    if (used + columns > width - 1 && text.length > result.length + char.length) return `${result}…`;
    used += columns;
    result += char;
  }
  return result;
}

/** The terminal's width; 100, a guess, without a terminal or where it says 0, as some pseudo-terminals do. */
export function widthOf(stream: NodeJS.WriteStream): number {
  return stream.columns || 100;
}

/** Columns that a line may take: the terminal's, or 200 in a pipe or a file, which only bounds what a record prints. */
export function lineWidth(stdout: NodeJS.WriteStream): number {
  return stdout.isTTY ? widthOf(stdout) : 200;
}

/** Record text on one line, safe for a terminal. */
export function oneLine(text: string): string {
  return shown(text).replace(/\s+/gu, ' ');
}

/** A time to the minute: `2026-11-20 20:05`. */
export function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** Says how many more there are than were shown. */
export function printMore({ stderr }: { stderr: NodeJS.WriteStream }, shown: number, total: number): void {
  if (total > shown) stderr.write(`${total - shown} more: --limit ${total} shows them all.\n`);
}

function columnsOf(char: string): number {
  // Most text is this simple, and V8 takes longer to compile the expressions than a listing takes to print.
  if (char < '\u0300') return 1;
  if (/\p{M}|\u200d|\ufe0f/u.test(char)) return 0;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(char)
    ? 2
    : 1;
}
