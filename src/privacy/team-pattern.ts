/**
 * Replaces the matches of a pattern: literal text in which `*` stands for the longest possible run without white space.
 * Patterns come with a checkout, so this takes linear time for any pattern; a regular expression would not.
 */
export function replacePattern(text: string, pattern: string, replacement: string): string {
  const parts = pattern.split('*');
  const pieces: string[] = [];
  let from = 0;
  for (let found = next(text, parts, 0); found !== undefined; found = next(text, parts, from)) {
    pieces.push(text.slice(from, found.start), replacement);
    from = found.end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}

/** Ordinary record text: a pattern meant for a secret matches next to nothing of it. */
const ORDINARY =
  'The parser reads src/parser/tokens.ts and keeps 30 lines at once, because the server sends them in blocks; see ' +
  'docs/limits.md. Run npm test -- --watch before you commit. We decided to keep the old format for users who did not ' +
  'update, and the test in test/parser.test.ts failed with "Unexpected token" at line 12 until then. [redacted:token]';

/** Whether a pattern matches more than a tenth of ordinary text: it would spoil whatever is captured. */
export function isGreedy(pattern: string): boolean {
  return replacePattern(ORDINARY, pattern, '').length < ORDINARY.length * 0.9;
}

function next(text: string, parts: string[], from: number): { start: number; end: number } | undefined {
  const first = parts[0] ?? '';
  for (let start = text.indexOf(first, from); start >= 0 && start < text.length; ) {
    const end = endOf(text, parts, start + first.length);
    if (end !== undefined && end > start) return { start, end };
    // Any other start within this run cannot match more than this one did.
    start = text.indexOf(first, Math.max(start + 1, runEnd(text, start + first.length) - first.length + 1));
  }
  return undefined;
}

/** The end of a match whose first part ends at `at`; undefined if a part is missing. */
function endOf(text: string, parts: string[], at: number): number | undefined {
  let end = at;
  let limit = -1;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] ?? '';
    if (end > limit) limit = runEnd(text, end);
    const isLast = i === parts.length - 1;
    const run = text.slice(end, limit + part.length);
    // The last part makes the match as long as possible, those before it leave room for the others.
    const found = isLast ? run.lastIndexOf(part, limit - end) : run.indexOf(part);
    if (found < 0) return undefined;
    end += found + part.length;
  }
  return end;
}

/** The offset of the next white space, or of the text's end. */
function runEnd(text: string, from: number): number {
  const space = /\s/g;
  space.lastIndex = from;
  return space.exec(text)?.index ?? text.length;
}
