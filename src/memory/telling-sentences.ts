import { sentencesIn } from './sentences.ts';

/** Ends with how a check went, and says no condition for it. */
const PROOF =
  /\b(?:tests?|checks?|suites?|lint(?:er|ing)?|builds?|CI|type ?checks?|vitest|jest|pytest|tsc)\b[^;:]*\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean|ok(?:ay)?)(?: (?:now|again|locally|too|here))?\W*$/iu;
const CONDITION = /\b(?:not?|never|only|without|unless|until|even|before|although|but|when|if|because|must)\b/iu;

/** Says who said it, and nothing more. */
const ATTRIBUTION =
  /^\W*(?:(?:this is )?(?:an? |the )?(?:rule|decision|request|preference|wish|instruction|correction)s? (?:of|by|from) (?:the |a )?(?:developer|user|maintainer|team|owner|person)|(?:as )?(?:the )?(?:developer|user|maintainer) (?:said|says|asked|wants?|wanted|told (?:me|us)|decided|confirmed)(?: so| it| this| that| for it)?)(?: in this (?:session|repository))?\W*$/iu;

/** Tells whether a sentence is no statement about the code or the work. */
export function isIdle(sentence: string): boolean {
  return ATTRIBUTION.test(sentence) || (PROOF.test(sentence) && !CONDITION.test(sentence));
}

/** The sentences of a text that say something which a title does not. */
export function tellingSentences(title: string, text: string): string[] {
  const said = wordsOf(title);
  return sentencesIn(text).filter((one) => !isIdle(one) && [...wordsOf(one)].some((word) => !said.has(word)));
}

/** Words of a text; the shortest ones say nothing by themselves, except in scripts without spaces. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]{3,}|\p{Script=Han}+/gu));
}
