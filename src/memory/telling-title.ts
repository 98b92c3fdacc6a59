/**
 * Whether a title is informative to a colleague who reads it among fifty others. It is judged by what is left without
 * the words of status reports; titles in other languages than English pass, because their words are not in the list.
 */

/** Fewest words of a title, and fewest that are not status words: a subject and what is said of it. */
const FEWEST = { words: 3, telling: 2 } as const;

// biome-ignore format: a word list reads best as running text.
const STATUS = new Set(('a about again ago all almost already also an and another any are as at be been before both bug bugs build builds but by can ' +
  'change changed changes changing check checked checks ci clean cleaned cleanup code commit commits committed complete completed completely ' +
  'completes correct correctly did do does doing done edit edited edits error errors every everything expected fail failed failing fails ' +
  'failure failures feature features few file files final finally fine finish finished finishes fix fixed fixes fixing for from go goes good ' +
  'got great green had has have having i implement implementation implemented implementing implements improve improved improvement ' +
  'improvements in is issue issues it its just lint linter made make makes making merged minor more my new next no not now ok okay of on ' +
  'one or our out pass passed passes passing perfect perfectly pr problem problems progress properly push pushed ready refactor ' +
  'refactored refactoring request requested requests resolved review reviewed run running runs session several small ' +
  'so solved some still step steps success successful successfully suite task tasks test tested testing tests that the them then there ' +
  'these thing things this those to todo todos turn tweak tweaked tweaks typecheck up update updated updates updating user various was ' +
  'we well were what wip with work worked working works written wrote you your').split(' '));

const PLAN =
  /^(?:let me|let's|i will|i'll|i am going|i'm going|we will|we'll|next(?: up)?:|next step|todo\b|plan:|working on|going to)/i;
/** Also without its mark; one with a colon goes on to answer. */
const QUESTION =
  /[?？]\W*$|^(?:why|how) (?:do|does|did|is|are|was|were|can|could|should|would)\b[^:]*$|^(?:should|shall|can|could|would|does|did|is|are) (?:we|i|it|you|this|that|there)\b[^:]*$/iu;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
/** A word with a slash, or a name with a file's ending. */
const PATH = /^[`"'(]*(?:\.{0,2}\/|~\/|\w[\w.-]*\/)[\w./@+-]*[`"'),.:;]*$|^[`"'(]*[\w-]+\.[a-z]{1,4}[`"'),.:;]*$/;

/** How to write a better title, by the kind of record. */
export const ADVICE = {
  observation:
    'Write what is true now and would surprise a colleague, such as "JWT is rejected when the issuer\'s clock runs ahead".',
  summary:
    'Write the session\'s outcome, such as "Tokens allow thirty seconds of clock skew, the docs are still missing".',
} as const;

/** What is wrong with a title, with `advice` on how to do better; undefined if nothing is. */
export function titleProblem(title: string, advice: string = ADVICE.observation): string | undefined {
  const text = title.trim();
  const parts = text.split(/\s+/u).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const words = parts.length + Math.floor((text.match(SPACELESS)?.length ?? 0) / 2);
  if (QUESTION.test(text)) return `The title is a question. ${advice} Save the answer.`;
  const plain = parts.filter((part) => !PATH.test(part));
  if (parts.length > 0 && (plain.length === 0 || (plain.length < parts.length && tellingOf(plain).size === 0))) {
    return `The title only names files. ${advice} Cite the files as files.`;
  }
  if (words < FEWEST.words) return `The title has fewer than ${FEWEST.words} words. ${advice}`;
  if (PLAN.test(text)) return `The title announces what is going to be done. ${advice}`;
  if (words === parts.length && isStatus(parts)) return `The title says little more than that work was done. ${advice}`;
  return undefined;
}

function isStatus(parts: string[]): boolean {
  return tellingOf(parts).size < FEWEST.telling;
}

function tellingOf(parts: string[]): Set<string> {
  const words = parts.map((part) => part.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  return new Set(words.filter((word) => !STATUS.has(word) && !/^[\d.,/%]*$/.test(word)));
}
