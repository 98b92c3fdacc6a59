/** How long a bracket or quotation may be before it counts as unbalanced. */
const MAX_SPAN = 400;

const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|excl|resp|nr|no|fig|dr|mr|mrs)\.$/iu;

const CLOSING: Record<string, string> = { '`': '`', '(': ')', '[': ']', '{': '}', '"': '"', '“': '”', '«': '»' };

/** Splits one line into its sentences, each with its own end mark. Code spans, brackets and quotations are never cut. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const closing = CLOSING[text[at] ?? ''];
    // Searched within this span only, so that a page of unclosed brackets is walked once.
    const skip = closing === undefined ? -1 : text.slice(at + 1, at + MAX_SPAN).indexOf(closing);
    if (skip >= 0) at += skip + 1;
    const length = skip >= 0 ? 0 : endAt(text, at);
    if (length === 0) continue;
    sentences.push(text.slice(start, at + length).trim());
    start = at + length;
    at = start - 1;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** How many characters at `at` end a sentence; 0 where none ends. */
function endAt(text: string, at: number): number {
  const char = text[at] ?? '';
  if ('。！？'.includes(char)) return 1;
  if (!'.!?…'.includes(char)) return 0;
  let end = at + 1;
  while (end < text.length && '.!?…"”’)»'.includes(text[end] ?? '')) end++;
  if (end < text.length && !/\s/u.test(text[end] ?? '')) return 0;
  const next = text.slice(end).trimStart()[0] ?? '';
  const before = text.slice(Math.max(0, at - 12), at + 1);
  if (char === '.' && next !== '' && (ABBREVIATION.test(before) || /^\s*\d{1,3}\.$/u.test(before))) return 0;
  // After an ellipsis in mid-sentence comes a lower-case letter.
  return (char === '…' || text.slice(at, end) === '...') && /\p{Ll}/u.test(next) ? 0 : end - at;
}
