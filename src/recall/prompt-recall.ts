import type { IndexedDocument, MemoryIndex } from '../cache/memory-index.ts';
import { tokenize } from '../cache/tokens.ts';
import { COMMON_WORDS } from './common-words.ts';
import { searchIndex } from './search.ts';

/**
 * When a record bears on a prompt. The weights were searched on one half of the labelled prompts
 * (`npm run bench -- injection`); the bar and the rule for two words were then chosen with both halves and the labelled
 * searches of whole repositories in view. Silence costs little, a wrong record costs the reader's trust.
 */
export const BEARING = {
  /** Records a prompt is told of at most. */
  most: 4,
  /** Score from which a record is told. */
  bar: 1.2,
  /** What the matched topic words weigh, in words that stand in one record only; more than `enough` adds nothing. */
  evidence: 0.15,
  enough: 3,
  /** Share of the prompt's topic that the record holds. */
  coverage: 0.45,
  /** How far the record stands out from the fifth best. */
  lead: 0.75,
  /** How far it falls behind the best. */
  behind: 0.75,
  /** Below this share, and with two matched words below the second, words only happen to coincide. */
  leastCoverage: 0.35,
  leastOfTwo: 0.6,
} as const;

/** The part of a long prompt that is read: what is asked stands at the beginning or at the end of what is pasted. */
const HEAD = 1500;
const TAIL = 500;

/** Records looked at; the last of them stand for the crowd. */
const LOOKED_AT = 5;

/** Tells whether a prompt names any topic; "yes, do it" does not, and then no index need be opened. */
export function namesTopic(text: string): boolean {
  return topicOf(excerpt(text)).size > 1;
}

export interface PromptHit {
  document: IndexedDocument;
  /** At least `BEARING.bar`. */
  score: number;
}

/** Records whose trust is asked for: the best ones, and those that would come in their place. */
const CONSIDERED = 40;

export interface PromptAnswer {
  /** Best first: usually none. */
  hits: PromptHit[];
  /** Which of their sentences to show. */
  weights: Map<string, number>;
  /** Whatever the hits were measured against, and what comes next: not to be strangers' records. */
  considered: IndexedDocument[];
}

/** The records that bear on a prompt; `without` are the blobs of those that may not be told, nor be measured against. */
export function findForPrompt(index: MemoryIndex, text: string, without?: ReadonlySet<string>): PromptAnswer {
  const prompt = excerpt(text);
  const topic = topicOf(prompt);
  const filter = { kinds: ['observation' as const] };
  const request = { text: prompt, plain: true, limit: CONSIDERED, filter, ...(without && { without }) };
  const { hits: considered, weights } = searchIndex(wordsOnly(index), request);
  const hits = considered.slice(0, LOOKED_AT);
  const highest = hits[0]?.score ?? 0;
  const crowd = hits[LOOKED_AT - 1]?.score ?? 0;
  const rarest = Math.log(1 + (index.statistics([]).documents + 0.5) / 1.5);
  // Of a long prompt the search keeps the most telling words; `weights` has those.
  const weighted = [...weights].filter(([term]) => topic.has(term));
  const whole = weighted.reduce((sum, [, weight]) => sum + weight, 0);

  const bearing = hits.flatMap(({ document, score }): PromptHit[] => {
    if (score <= 0 || whole <= 0) return [];
    const inText = new Set(document.terms.slice(0, -1).flatMap((stream) => stream.split(' ')));
    const inPaths = new Set((document.terms.at(-1) ?? '').split(' '));
    let matched = 0;
    let evidence = 0;
    for (const [term, weight] of weighted) {
      // A word of a path says less: one record cites many.
      const share = inText.has(term) ? 1 : inPaths.has(term) ? 0.5 : 0;
      if (share > 0) matched++;
      evidence += weight * share;
    }
    const coverage = evidence / whole;
    if (matched < 2 || coverage < (matched === 2 ? BEARING.leastOfTwo : BEARING.leastCoverage)) return [];
    const value =
      BEARING.evidence * Math.min(BEARING.enough, evidence / rarest) +
      BEARING.coverage * coverage +
      BEARING.lead * Math.max(0, 1 - crowd / score) -
      BEARING.behind * (1 - score / highest);
    return value >= BEARING.bar ? [{ document, score: value }] : [];
  });
  const best = bearing.sort((a, b) => b.score - a.score).slice(0, BEARING.most);
  return { hits: best, weights, considered: considered.map(({ document }) => document) };
}

/** The index as far as words go: meaning, spelling and company find more, but are no reason to speak unasked. */
function wordsOnly(index: MemoryIndex): MemoryIndex {
  const nothing = { termVector: () => undefined, vector: () => undefined, citing: () => [], session: () => [] };
  return { ...index, ...nothing };
}

function topicOf(text: string): Set<string> {
  return new Set(tokenize(text).filter((term) => !COMMON_WORDS.has(term) && !/^(?:\d|[a-z]|)$/.test(term)));
}

function excerpt(text: string): string {
  const part = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  // A pasted log says a line a hundred times; it is no more about it than if it said it once.
  return [...new Set(part.split('\n'))].join('\n');
}
