/** Never cut: code spans, brackets, quotations, abbreviations, list numbers. */
const WHOLE =
  /`[^`]{1,400}`|\([^()]{1,400}\)|\[[^[\]]{1,400}\]|"[^"]{1,400}"|“[^”]{1,400}”|«[^»]{1,400}»|\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|dr|mrs?)\.(?=\s+\S)|\b(?:nr|no|fig)\.(?=\s+\d)|(?<=^\s*)\d{1,3}\./giu;
// Three dots, as in a menu entry, end only a line; an ellipsis may be in mid-sentence. Bounded runs keep matching linear.
const END = /[。！？]|[.!?…]["'”’)».!?…]{0,9}(?=\s|$)(?!(?<=…)\s+\p{Ll}|(?<=\.{3})\s+\S)/gu;

/** Where the sentences of one line end, each after its end mark. */
export function sentenceEnds(text: string): number[] {
  const marked = text.replace(WHOLE, (whole) => 'X'.repeat(whole.length));
  return [...marked.matchAll(END)].map(({ 0: mark, index }) => index + mark.length);
}

/** Splits one line into its sentences, each with its own end mark. */
export function sentencesOf(text: string): string[] {
  const ends = sentenceEnds(text);
  return [0, ...ends]
    .map((start, i) => text.slice(start, ends[i]).trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The sentences of a text, line by line, without bullets. */
export function sentencesIn(text = ''): string[] {
  const lines = text.slice(0, 20_000).split('\n');
  return lines.flatMap((line) => sentencesOf(line.replace(/^\s*[-*]\s+/, '')));
}

/** The number of words; two characters of a script without spaces count as one. */
export function weightOf(sentence: string): number {
  const words = sentence.match(/[^\s\p{P}]+/gu) ?? [];
  const dense = sentence.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu) ?? [];
  return words.length + dense.length / 2;
}

/** Ends by saying that a check passed, without a condition. */
const PROOF =
  /\b(?:tests?|checks?|suites?|lint(?:er|ing)?|builds?|CI|type ?checks?|vitest|jest|pytest|tsc)\b[^;:]*\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean|ok(?:ay)?)(?: (?:now|again|locally|too|here))?\W*$/iu;
const CONDITION = /\b(?:not?|never|only|without|unless|until|even|before|although|but|when|if|because|must)\b/iu;

/** Says only who said something. */
const ATTRIBUTION =
  /^\W*(?:(?:this is )?(?:an? |the )?(?:rule|decision|request|preference|wish|instruction|correction)s? (?:of|by|from) (?:the |a )?(?:developer|user|maintainer|team|owner|person)|(?:as )?(?:the )?(?:developer|user|maintainer) (?:said|says|asked|wants?|wanted|told (?:me|us)|decided|confirmed)(?: so| it| this| that| for it)?)(?: in this (?:session|repository))?\W*$/iu;

/** Whether a sentence says nothing about the code or the work. */
export function isIdle(sentence: string): boolean {
  return ATTRIBUTION.test(sentence) || (PROOF.test(sentence) && !CONDITION.test(sentence));
}

/** The sentences of a text that say something a title does not. */
export function tellingSentences(title: string, text: string): string[] {
  const said = wordsOf(title);
  return sentencesIn(text).filter((one) => !isIdle(one) && [...wordsOf(one)].some((word) => !said.has(word)));
}

/** Words of a text; the shortest mean nothing by themselves, except in scripts without spaces. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]{3,}|\p{Script=Han}+/gu));
}
