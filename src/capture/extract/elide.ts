/**
 * Keeps the head and the tail of a text that is longer than `max` characters (UTF-16 units), with a visible marker
 * between them. The result is never longer than `max`, so eliding twice changes nothing.
 */
export function elide(text: string, max: number): string {
  if (text.length <= max) return text;
  const longestMarker = marker(text.length).length;
  // Where the marker alone would fill the field, an ellipsis has to do.
  if (max < longestMarker * 2) return max < 1 ? '' : `${head(text, max - 1)}…`;
  const kept = max - longestMarker;
  const start = head(text, Math.ceil(kept / 2));
  const end = tail(text, Math.floor(kept / 2));
  return `${start}${marker(text.length - start.length - end.length)}${end}`;
}

function marker(count: number): string {
  return `[… ${count.toLocaleString('en-US')} characters left out …]`;
}

/** The first `length` units, one fewer where the cut would part a surrogate pair. */
function head(text: string, length: number): string {
  return text.slice(0, isLowSurrogate(text, length) ? length - 1 : length);
}

function tail(text: string, length: number): string {
  const from = text.length - length;
  return text.slice(isLowSurrogate(text, from) ? from + 1 : from);
}

/** Tells whether a cut at `at` would split a surrogate pair. */
function isLowSurrogate(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(at - 1, 0), at + 1));
}
