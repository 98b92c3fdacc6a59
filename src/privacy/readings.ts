/** A stretch of a text, in UTF-16 units, end excluded. */
export interface Range {
  start: number;
  end: number;
}

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
// A continued line: `\` at its end, or a string that code concatenates; a diff marks each line.
const CONTINUATION =
  /\\\r?\n[+\-> ]?[ \t]{0,80}|(["'`])[ \t]{0,20}(?:[+.&][ \t]{0,20}(?:\r?\n[+\-> ]?[ \t]{0,80})?|\\?\r?\n[+\-> ]?[ \t]{1,80}(?:[+.&][ \t]{0,20})?)\1/gu;
const LINE_BREAK = /\r?\n(?:[ \t]{0,20}\d{1,6}(?:[→|:]|\t|[ ]{2}))?[+\-> |]{0,2}[ \t]{0,80}/gu;

const DUMP_BREAK =
  /\|?\r?\n[0-9a-f]{4,8}:?[ ]{1,3}(?:[0-9a-f]{2}[ ]{1,2}){8,16}[ ]{0,3}\|?|\r?\n[0-9a-f]{4,8}: (?:[0-9a-f]{4} ){8}[ ]/gu;

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

/** A hexdump with its columns of characters joined: from the end of one to the begin of the next; undefined for others. */
export function dumpReading(text: string): Reading | undefined {
  return joined(text, DUMP_BREAK);
}

/** A quoted-printable mail decoded: soft line breaks removed, `=3D` read; undefined for other texts. */
export function mailReading(text: string): Reading | undefined {
  if (!/=3D/u.test(text)) return undefined;
  const result = rewritten(text, /=(?:\r?\n(?:>[ ]?)*|[2-7][0-9A-F])/gu, (match) =>
    match.includes('\n') ? '' : String.fromCharCode(Number.parseInt(match.slice(1), 16)),
  );
  return result.text === '' ? undefined : result;
}

/** What a list of a command's arguments begins with or contains. */
const COMMAND =
  /["']-{1,2}[A-Za-z]|\b(?:exec\w{0,10}|spawn\w{0,5}|command|cmd|entrypoint|popen|subprocess|system|args?|argv|run)["']?\s{0,4}(?:[[(:=,]|::new)/iu;
const BETWEEN = /["'](?:\)\.args?\()?[ \t]{0,4},?[ \t]{0,20}\[?["']/gu;
/** How much of a line is looked through for a command, in UTF-16 units: minified code is one line. */
const LONGEST_COMMAND = 2_000;

/** The arguments that a line lists for a command, as on a command line: `["zip", "-P", ...]`; undefined without any. */
export function commandReading(text: string): Reading | undefined {
  let end = -1;
  let isCommand = false;
  const result = rewritten(
    text,
    BETWEEN,
    () => ' ',
    (at) => {
      if (at > end) {
        const start = text.lastIndexOf('\n', at) + 1;
        end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
        isCommand = COMMAND.test(text.slice(start, Math.min(end, start + LONGEST_COMMAND)));
      }
      return isCommand;
    },
  );
  return result.text === '' ? undefined : result;
}

/** What stands before the lines of a listing, a chat or the logs of containers. */
const PREFIX =
  /^(?:[ ]{0,8}\d{1,6}(?:→|\t|:[ ]|[ ]?\|[ ])|\[?\d{1,2}:\d\d(?::\d\d)?\]?[ ](?:[\p{L}\d_.-]{1,20}:[ ])?|<[\p{L}\d_.-]{1,20}>[ ]|[a-z][\w.-]{1,30}[ ]{1,8}\|[ ])/gmu;
const NAMES_SECRET =
  /^[^\n]{0,60}(?:pass(?:word|wd|phrase)?|\bpwd?|psk)["']?(?:[ ]?[:=])?[ ]?[^\s:={}()[\]]{6}[^\s{}()[\];]{0,60}(?:\n|$)/iu;

/** The lines at a word for a password without what a listing puts before each; undefined if there are none. */
export function listingReading(text: string): Reading | undefined {
  const result = rewritten(
    text,
    PREFIX,
    () => '',
    (at) => NAMES_SECRET.test(text.slice(at, at + 160)),
  );
  return result.text === '' ? undefined : result;
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

/** Lines around a rewritten one that are part of the reading; the rest of the text is unchanged. */
const MARGIN = 3;

/** Rewrites every match and keeps a table of where each part of the result came from. */
function rewritten(
  text: string,
  pattern: RegExp,
  rewrite: (match: string) => string,
  isWanted: (at: number) => boolean = () => true,
): Reading {
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
    if (!isWanted(match.index)) continue;
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

  function rowOf(offset: number): number {
    let low = 0;
    let high = at.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((at[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function toSource({ start, end }: Range): Range {
    const first = rowOf(start);
    let final = rowOf(end);
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
