/** How far a bracket or quotation may reach before it is taken for unbalanced. */
const MAX_SPAN = 400;

const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|excl|resp|nr|fig|dr|mr|mrs|z\.\s?b|d\.\s?h|u\.\s?a|bzw|ca|ggf|evtl|usw|inkl|vgl|p\.\s?ej|par ex)\.$/iu;

/** Splits one line into its sentences, each with its own end mark. Code spans, brackets and quotations are never cut. */
export function sentencesOf(text: string): string[] {
  return cutAt(text, (at) => sentenceEnd(text, at)).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Splits a sentence at its top-level semicolons and numbered parts `(1) ... (2) ...`. */
export function partsOf(sentence: string): string[] {
  const bySemicolon = (text: string) =>
    cutAt(text, (at) => (text[at] === ';' && /\s/u.test(text[at + 1] ?? '') ? 1 : 0));
  return enumeration(sentence)
    .flatMap(bySemicolon)
    .map((part) => part.replace(/[;,]$/u, '').trim())
    .filter(Boolean);
}

/** "Three things combine: (1) a, (2) b, and (3) c." gives the lead and one part a number. */
function enumeration(text: string): string[] {
  const marks = [...text.matchAll(/(?:,|;|:|^|\band|\bund|\bor)?(?:(?<!\s)\s+)?\((?:\d|[a-f])\)\s+/gu)];
  if (marks.length < 2) return [text];
  const lead = text.slice(0, marks[0]?.index).trim().replace(/:$/u, '');
  const label = /^(\p{Lu}\p{Ll}+)s$/u.exec(lead)?.[1];
  const items = marks.map((mark, index) => text.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim());
  // "Alternatives: (a) ..., (b) ..." gives "Alternative: ..." each.
  if (label !== undefined)
    return items.map((item) => `${label}: ${item.replace(/[,;:]$|,?\s(?:and|und|or)$/u, '').trim()}`);
  // "Three things combine:" says nothing without them.
  const opening = lead.split(/\s+/u).length > 4 ? [lead] : [];
  return [...opening, ...items].map((part) => part.replace(/[,;:]$|,?\s(?:and|und|or)$/u, '').trim()).filter(Boolean);
}

/** Positions of the top-level clause boundaries: `, so`, ` because`, `: `, `, which` and their like. */
export function clauseBreaks(sentence: string): { at: number; word: string }[] {
  const breaks: { at: number; word: string }[] = [];
  const pattern = CLAUSE;
  topLevel(sentence, (at) => {
    pattern.lastIndex = at;
    const match = pattern.exec(sentence);
    if (match) breaks.push({ at, word: match[0].trim() });
    return 0;
  });
  return breaks;
}

const CLAUSE =
  /(?:[:;](?=\s)|\s[–—-](?=\s)|,(?=\s(?:so|because|since|which|where|while|whereas|but|and|as|otherwise|therefore|who|when|if|not|then|thus|hence|instead|rather|weil|da|sodass|damit|aber|und|denn|sonst|wobei|während|called|including|plus|with|using|leaving|making|\p{Ll}+ing)\b)|,(?=\s)|\s(?=(?:because|since|although|unless|while|whereas|rather than|instead of|so that|but|weil)\s))/uy;

/** Calls `visit` at each character outside code, brackets and quotations. */
function topLevel(text: string, visit: (at: number) => number): void {
  const close: Record<string, string> = {
    '`': '`',
    '(': ')',
    '[': ']',
    '{': '}',
    '"': '"',
    '“': '”',
    '«': '»',
    '„': '“',
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    // An opening bracket may itself follow a boundary, so the visit comes first.
    const skip = visit(at);
    if (skip > 0) {
      at += skip - 1;
      continue;
    }
    const closing = close[char];
    if (closing === undefined) continue;
    // Looked for within reach only, so that a page of unclosed brackets is walked once.
    const end = text.slice(at + 1, at + MAX_SPAN).indexOf(closing);
    if (end >= 0) at += end + 1;
  }
}

/** Cuts after each place where `ends` gives how many characters belong to the end. */
function cutAt(text: string, ends: (at: number) => number): string[] {
  const pieces: string[] = [];
  let start = 0;
  topLevel(text, (at) => {
    const length = ends(at);
    if (length === 0) return 0;
    pieces.push(text.slice(start, at + length).trim());
    start = at + length;
    return length;
  });
  pieces.push(text.slice(start).trim());
  return pieces.filter(Boolean);
}

function sentenceEnd(text: string, at: number): number {
  const char = text[at] ?? '';
  if ('。！？'.includes(char)) return 1;
  if (!'.!?…'.includes(char)) return 0;
  let end = at + 1;
  while (end < text.length && '.!?…'.includes(text[end] ?? '')) end++;
  while (end < text.length && '"”’)»'.includes(text[end] ?? '')) end++;
  if (end < text.length && !/\s/u.test(text[end] ?? '')) return 0;
  const next = text.slice(end).trimStart()[0] ?? '';
  if (next === '') return end - at;
  const before = text.slice(Math.max(0, at - 12), at + 1);
  if (char === '.' && (ABBREVIATION.test(before) || /(?:^|[\s(])(?<!\d )\p{Lu}\.$/u.test(before))) return 0;
  // "3. Mai" goes on, "a default of 30. Negative values" does not: only a bare number at the start is an ordinal.
  if (char === '.' && /^\s*\d{1,3}\.$/u.test(text.slice(Math.max(0, at - 6), at + 1))) return 0;
  // An ellipsis in the middle of a sentence is followed by a small letter.
  return (char === '…' || text.slice(at, end) === '...') && /\p{Ll}/u.test(next) ? 0 : end - at;
}
