import { type Finding, lastAtMost } from './findings.ts';

/** A stretch of a text, in UTF-16 units, end excluded. */
type Range = Pick<Finding, 'start' | 'end'>;

/** A text without escapes or line breaks, with a mapping back to the text that it was made from. */
export interface Reading {
  text: string;
  toSource(range: Range): Range;
}

/** How many levels of nested escapes are decoded: JSON in JSON in an address. */
const LEVELS = 3;
// JSON and HTML escapes are decoded; colour sequences and invisible characters, which split a token, are left out.
const ESCAPED =
  /\\(?:u[0-9a-fA-F]{4}|["'\\/nrtbf])|%(?:25){0,2}(?:2[0-9A-Fa-f]|3[A-Fa-f]|40|5[BDFbdf]|7[BDbd])|&(?:quot|apos|amp|lt|gt|#0?39|#x27|#34);|\u001b\[[0-9;?]{0,20}[A-Za-z]|[\u200b-\u200d\u2060\ufeff\u00ad]/gu;
const NEEDS_DECODING =
  /%(?:25){0,2}(?:2[Ff]|3[ADad])|\\["'\\/nrtu]|&(?:quot|apos|amp|lt|gt|#)|[\u001b\u200b-\u200d\u2060\ufeff\u00ad]/u;
// A continued line: `\` at its end, or a string that code concatenates; a diff marks every line.
const CONTINUATION =
  /\\\r?\n[+\-> ]?[ \t]{0,80}|(["'`])[ \t]{0,20}(?:[+.&][ \t]{0,20}(?:\r?\n[+\-> ]?[ \t]{0,80})?|\\?\r?\n[+\-> ]?[ \t]{1,80}(?:[+.&][ \t]{0,20})?)\1/gu;
const LINE_BREAK = /\r?\n(?:[ \t]{0,20}\d{1,6}(?:[→|:]|\t|[ ]{2}))?[+\-> |]{0,2}[ \t]{0,80}/gu;

const NAMED_ESCAPES: Record<string, string> = {
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
  '\\b': ' ',
  '\\f': ' ',
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#039;': "'",
  '&#x27;': "'",
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
};

/** The text itself, and the text with its escapes decoded, one reading per level. */
export function decodedReadings(text: string): Reading[] {
  const readings: Reading[] = [{ text, toSource: (range) => range }];
  for (let level = 0, last = text; level < LEVELS && NEEDS_DECODING.test(last); level++) {
    const before = readings.at(-1);
    const decoded = rewritten(last, ESCAPED, decode);
    if (!before || decoded.text === '') break;
    readings.push({ text: decoded.text, toSource: (range) => before.toSource(decoded.toSource(range)) });
    last = decoded.text;
  }
  return readings;
}

/** The text with continued lines and concatenated strings joined; undefined if there are none. */
export function continuedReading(text: string): Reading | undefined {
  return joined(text, CONTINUATION);
}

/** The text without line breaks (and without what a diff or a listing puts after them); undefined if there are none. */
export function unbrokenReading(text: string): Reading | undefined {
  return joined(text, LINE_BREAK);
}

function joined(text: string, pattern: RegExp): Reading | undefined {
  const result = rewritten(text, pattern, () => '');
  return result.text === '' ? undefined : result;
}

function decode(sequence: string): string {
  const named = NAMED_ESCAPES[sequence];
  if (named !== undefined) return named;
  if (sequence.startsWith('%')) return percentDecoded(sequence);
  if (sequence.startsWith('\\u')) return String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
  return sequence.startsWith('\\') ? sequence.slice(1) : '';
}

/** An address within an address is encoded twice: `%253D` is `%3D`, which is `=`. */
function percentDecoded(sequence: string): string {
  return String.fromCharCode(Number.parseInt(sequence.slice(-2), 16));
}

/** Lines around a rewritten one that are part of the reading; the rest is unchanged and left out. */
const MARGIN = 3;

/** Rewrites every match and keeps a table of where each part of the result came from. */
function rewritten(text: string, pattern: RegExp, rewrite: (match: string) => string): Reading {
  const pieces: string[] = [];
  // Row i: offset `at[i]` of the result corresponds to `source[i]` in the source; the part before ended at `ended[i]`.
  const at = [0];
  const source = [0];
  const ended = [0];
  let length = 0;
  let last = 0;
  let covered = 0;

  function row(from: number, before: number): void {
    at.push(length);
    source.push(from);
    ended.push(before);
  }

  function copy(until: number): void {
    pieces.push(text.slice(last, until));
    length += until - last;
    last = until;
  }

  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (match.index >= covered) {
      const from = Math.max(covered, linesBefore(text, match.index));
      if (from > covered) {
        copy(covered);
        pieces.push('\n\n');
        length += 2;
        last = from;
        row(from, covered);
      }
      covered = linesBehind(text, end);
    } else if (end > covered) {
      covered = linesBehind(text, end);
    }
    const replacement = rewrite(match[0]);
    copy(match.index);
    if (replacement !== '') {
      row(match.index, match.index);
      pieces.push(replacement);
      length += replacement.length;
    }
    last = end;
    row(end, replacement === '' ? match.index : end);
  }
  copy(Math.max(last, covered));

  function toSource({ start, end }: Range): Range {
    const first = lastAtMost(at, start);
    let final = lastAtMost(at, end);
    const from = (source[first] ?? 0) + start - (at[first] ?? 0);
    if (at[final] !== end) return { start: from, end: (source[final] ?? 0) + end - (at[final] ?? 0) };
    // A range that ends exactly at a seam ends where the earlier part did, not after the removed text.
    while (final > 0 && at[final - 1] === end) final -= 1;
    return { start: from, end: Math.max(from, ended[final] ?? from) };
  }

  return { text: pieces.join(''), toSource };
}

function linesBefore(text: string, offset: number): number {
  let start = offset;
  for (let line = 0; line < MARGIN && start > 0; line++) start = text.lastIndexOf('\n', start - 1);
  return Math.max(0, start);
}

function linesBehind(text: string, offset: number): number {
  let end = offset;
  for (let line = 0; line < MARGIN && end < text.length; line++) {
    const next = text.indexOf('\n', end);
    end = next < 0 ? text.length : next + 1;
  }
  return end;
}
