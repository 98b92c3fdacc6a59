import { FIELDS, type Field } from '../index/memory-index.ts';
import { tokenize } from '../index/tokens.ts';
import { sentencesIn } from '../memory/sentences.ts';

/** Longest snippet, in characters: two lines of a terminal. */
const LONGEST = 160;

/**
 * The sentence or line of a record's searchable texts that answers best, on one line; the record's first words if none
 * does. The texts are in the order of FIELDS.
 */
export function snippetIn(texts: readonly string[], weights: ReadonlyMap<string, number>, field?: Field): string {
  // The title is printed anyway.
  const order = FIELDS.map((_, f) => f).filter((f) => f > 0 && f < FIELDS.length - 1);
  if (field === 'files') order.unshift(FIELDS.length - 1);
  let best = { weight: 0, text: '' };
  for (const f of order) {
    for (const sentence of sentencesIn(texts[f])) {
      let weight = 0;
      for (const token of new Set(tokenize(sentence))) weight += weights.get(token) ?? 0;
      if (weight > best.weight) best = { weight, text: sentence };
    }
  }
  const first = order.map((f) => sentencesIn(texts[f])[0]).find((sentence) => sentence !== undefined);
  return shortened((best.text || first) ?? '', weights);
}

/** Cuts around the first of the question's words. */
function shortened(sentence: string, weights: ReadonlyMap<string, number>): string {
  if (sentence.length <= LONGEST) return sentence;
  let start = 0;
  for (const match of sentence.matchAll(/\S+/g)) {
    if (!tokenize(match[0].slice(0, 200)).some((token) => weights.has(token))) continue;
    start = Math.max(0, Math.min(match.index - 30, sentence.length - LONGEST));
    break;
  }
  const cut = sentence
    .slice(start, start + LONGEST - 2)
    .toWellFormed()
    .replaceAll('\ufffd', '');
  return `${start > 0 ? '…' : ''}${cut.trim()}${start + LONGEST - 2 < sentence.length ? '…' : ''}`;
}
