import type { Finding } from './findings.ts';

const MARKER =
  /-{4,5}[ ]?(BEGIN|END)[ ]([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN (?:Static key V1|tls-crypt-v2 (?:client|server) key))[ ]?-{4,5}/g;
/** Longest block, in UTF-16 units: an RSA key of 16,384 bits has 13,000. */
const LONGEST = 20_000;
// The parts of a block's line in listings, diffs, quotes and string literals; between them is base64 or a header.
const LINE_END = /\r?\n|\\{1,8}r\\{1,8}n|\\{1,8}n/g;
const BEFORE = /[\s+\-> |"'`]*(?:[\w./-]{1,200}:(?=\d{1,6}[:-]))?(?:\d{1,6}\s*[→:|\t-]\s*)?[\s+\-> |"'`]*/y;
const BEHIND = new Set(' \t"\'`,;+\\');
const BODY = /^(?:[A-Za-z0-9+/=]{1,}|(?:Proc-Type|DEK-Info|Version|Comment|Hash):.{0,120})$/;

/** Finds private keys in PEM and PuTTY form: whole, or cut off at either end. */
export function findKeyBlocks(text: string): Finding[] {
  const found: Finding[] = [];
  let begin: number | undefined;
  let body = 0;
  const cutOff = (until: number) => {
    const end = begin === undefined ? body : bodyEnd(text, body, until);
    if (begin !== undefined && end > body) found.push({ start: begin, end, kind: 'private-key' });
  };
  for (const match of text.matchAll(MARKER)) {
    const end = match.index + match[0].length;
    if (match[1] === 'BEGIN') {
      cutOff(match.index);
      begin = match.index;
      body = end;
    } else if (begin !== undefined && end - begin <= LONGEST) {
      // Code that only names the two markers holds no key.
      if (/[A-Za-z0-9+/]{16}/.test(text.slice(body, match.index)))
        found.push({ start: begin, end, kind: 'private-key' });
      begin = undefined;
    } else {
      cutOff(match.index);
      begin = undefined;
      const start = bodyStart(text, match.index, found.at(-1)?.end ?? 0);
      if (start < match.index) found.push({ start, end, kind: 'private-key' });
    }
  }
  cutOff(text.length);
  for (const match of text.matchAll(/Private-Lines:[ ]?\d{1,4}/g)) {
    const from = match.index + match[0].length;
    found.push({ start: from, end: bodyEnd(text, from, text.length), kind: 'private-key' });
  }
  return found.filter(({ start, end }) => end > start);
}

/** The end of a body that begins at `from` and has no end marker: it lasts as long as lines look like key data. */
function bodyEnd(text: string, from: number, limit: number): number {
  const stretch = text.slice(from, Math.min(limit, from + LONGEST));
  let end = 0;
  let at = 0;
  for (const line of linesOf(stretch)) {
    const bare = undecorated(line.text);
    if (bare !== '' && !(BODY.test(bare) && isBodyLine(bare, line.last))) {
      // The body may continue in the marker's own line, up to where something else begins.
      const part = at === 0 ? /^[\s"'\\]*[A-Za-z0-9+/=]{16,}/.exec(line.text)?.[0].length : undefined;
      if (part !== undefined) end = part;
      break;
    }
    if (bare !== '') end = line.start + line.text.length;
    at += 1;
  }
  return from + end;
}

/** The start of a body that ends at `until` and has no begin marker. */
function bodyStart(text: string, until: number, floor: number): number {
  const from = Math.max(floor, until - LONGEST);
  const lines = [...linesOf(text.slice(from, until))];
  let start = until;
  for (const line of lines.reverse()) {
    const bare = undecorated(line.text);
    if (bare === '') continue;
    if (!BODY.test(bare) || bare.length < 16) break;
    start = from + line.start;
  }
  return start;
}

function undecorated(line: string): string {
  BEFORE.lastIndex = 0;
  const start = BEFORE.test(line) ? BEFORE.lastIndex : 0;
  let end = line.length;
  while (end > start && BEHIND.has(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

/** Words of prose look like base64 too, so a body line must be long, or the short last one of its block. */
function isBodyLine(line: string, last: boolean): boolean {
  return line.length >= 16 || line.includes(':') || line.endsWith('=') || last;
}

function* linesOf(text: string): Generator<{ start: number; text: string; last: boolean }> {
  let start = 0;
  for (const match of text.matchAll(LINE_END)) {
    yield { start, text: text.slice(start, match.index), last: false };
    start = match.index + match[0].length;
  }
  yield { start, text: text.slice(start), last: true };
}
