import { blocksOf, UNFINISHED } from '../blocks.ts';
import { sentencesOf } from '../sentences.ts';

/** One sentence or list item, whole and in its author's words. */
export interface Statement {
  text: string;
  kind: 'sentence' | 'item';
}

/** Fewer words are a remark that says nothing by itself: "That works now." */
export const LEAST_WORDS = 4;

/** What no sentence of a record may be. */
const UNSTATED: RegExp[] = [
  // A question, an offer, or about the reader.
  /[?？]["'”)]*$|\b(?:you|your|you're|you'll|yours|let me know|want me|shall I|should I|happy to|feel free)\b/iu,
  // Not known, not decided, not done yet.
  /\b(?:might|maybe|perhaps|probably|presumably|likely|possibly|plausible|suspect\w*|suspicious|seems?|appears?|apparently|I (?:do not |don['’]t )?(?:think|believe|guess)|I['’]d|could|would|if I had to|candidates?|hypothes\w+|not sure|unclear|unverified|couldn't verify|TODO|(?:I|we)(?: will|['’]ll)|going to|will need|needs? to be|next step|next,|later|follow-up)\b/iu,
  // Advice.
  /^(?:heads up|consider|try|check|make sure|ensure|note that|re-?run|run|use|set|open|see|look|alternatively|option [\da-z])\b|\bshould\b|\b(?:recommend|suggest)/iu,
  // Left undone.
  /\bI (?:did not|didn't|could not|couldn't|haven't|have not|left|skipped|only)\b|\bleft (?:it|them|those) alone\b/iu,
];
/** The state of the work, outdated when it is read: its checks, its commit, that it is done. */
const STATUS: RegExp[] = [
  /^(?:done|good|great|perfect|right|correct|yes|no|ok|okay|sure|exactly|understood|fixed|updated|added|committed|pushed|finished|completed?|tests?|build|lint\w*|no changes?\b.*|here(?:'s| is| are)\b.*|(?:the )?(?:fix|change|work|task|plan|implementation)s? (?:is|are) .*|nothing (?:else|further)\b.*|summary\b.*|(?:opened|created) (?:the |a )?PR\b.*)[.!:]?$/iu,
  /^(?:verified|verification|tested|checked|confirmed|validated)\b|\b(?:pass(?:es|ed|ing)?|reran|re-ran|green|clean)\b[^.]{0,40}\.?$/iu,
  // Code is also pushed and merged into other code: only work is meant here.
  /^(?:(?:I|we)(?:['’]ve| have)? )?(?:just |now |also |since )?(?:committed|pushed|merged) (?:and pushed )?(?:it|them|everything|all of it|(?:the |this |these |all |my |your )?(?:changes?|fix(?:es)?|work|files?|branch(?:es)?|commits?|PRs?))\b(?!.*\b(?:because|since|so that|instead)\b)[^.]{0,60}\.?$/iu,
];
/** A measured number stays useful after the work that it was measured for. */
const MEASURED = /\d\s?(?:ms|s|sec|seconds|minutes|[kMG]i?B|%|x)\b/u;
/** Refers back: without the sentence before, it says nothing. */
const LEANING =
  /^(?:it|its|this|that|these|those|they|them|he|she|which|so|then|otherwise|both|such|instead|(?:I |we )?also|but|and|or|however|same)\b(?!-)/iu;
/** Headings and lead lines over what is not true, not done, not decided, or only proof of work. */
const NO_STATEMENT =
  /\b(?:not|n't|no|never|without|skipp\w+|omitted|unchanged|options?|alternatives?|approach(?:es)?|ideas?|questions?|next steps?|todo|follow-?ups?|recommend\w*|suggest\w*|consider\w*|could|would|might|should|candidates?|possib\w+|likely|plan|planned|proposal|verif\w+|test(?:s|ed)? (?:run|results?)|limitations?|status|remaining|unrelated|before|previously|root cause|problem|issue|impact|if you|try|steps|usage|example)\b/iu;

/** What a message states as fact, in order; everything else is left out. */
export function statementsIn(message: string): Statement[] {
  return blocksOf(message).flatMap(({ text, lead, kind }): Statement[] => {
    if (NO_STATEMENT.test(lead)) return [];
    const sentences = sentencesOf(text);
    // If one sentence of an item asks or doubts, the others may depend on it.
    if (kind === 'item') return sentences.every(isStated) && !text.endsWith(':') ? [{ text, kind }] : [];
    let isOpen = false;
    return sentences.flatMap((sentence) => {
      // A sentence that refers to an omitted one would mean something else without it.
      isOpen = (isOpen || !isLeaning(sentence)) && isStated(sentence) && !UNFINISHED.test(sentence);
      const isLong = sentence.split(/\s+/u).length >= LEAST_WORDS;
      return isOpen && isLong ? [{ text: sentence.replace(/:$/u, '.'), kind: 'sentence' }] : [];
    });
  });
}

/** Tells whether a sentence states a fact that is worth keeping. */
export function isStated(sentence: string): boolean {
  const isStatus = !MEASURED.test(sentence) && STATUS.some((pattern) => pattern.test(sentence.trim()));
  return !isStatus && !UNSTATED.some((pattern) => pattern.test(sentence));
}

/** Tells whether a sentence needs the one before it. */
export function isLeaning(sentence: string): boolean {
  return LEANING.test(sentence);
}
