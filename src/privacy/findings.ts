/** A part of a text that must be removed: its range in UTF-16 units, end excluded, and its kind. */
export interface Finding {
  start: number;
  end: number;
  kind: string;
}

/**
 * Every match of a global expression. `matchAll` would copy the expression each time, and the large ones, with the words
 * of sixty languages, would be compiled again for most texts.
 */
export function matchesOf(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}

/** The index of the last number that is at most `bound`; 0 if there is none. */
export function lastAtMost(sorted: readonly number[], bound: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= bound) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The findings sorted and without overlaps: overlapping ones become one, with the kind of the first in the list. */
export function united(findings: Finding[]): Finding[] {
  const ranked = findings.map((one, rank) => ({ ...one, rank })).sort((a, b) => a.start - b.start || a.rank - b.rank);
  const result: (Finding & { rank: number })[] = [];
  for (const one of ranked) {
    const last = result.at(-1);
    if (!last || one.start >= last.end) {
      result.push({ ...one });
      continue;
    }
    last.end = Math.max(last.end, one.end);
    if (one.rank < last.rank) Object.assign(last, { rank: one.rank, kind: one.kind });
  }
  return result.map(({ start, end, kind }) => ({ start, end, kind }));
}

const MARKER = '[redacted:';

/** Whether the words at [start, end) are the kind in a marker that `replaced` made. */
export function isMarkedKind(text: string, start: number, end: number): boolean {
  return text.startsWith(MARKER, start - MARKER.length) && text.charAt(end) === ']';
}

/** The text with each finding replaced by `[redacted:<kind>]`; the findings must be sorted and not overlap. */
export function replaced(text: string, findings: Finding[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, kind } of findings) {
    pieces.push(text.slice(at, start), `${MARKER}${kind}]`);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}
