import { stem } from '../index/tokens.ts';
import { distinct, sum } from './agreement.ts';
import type { Opposition, Pair, Text } from './claims.ts';
import { parseSentence, readOnce, type Word } from './sentence.ts';

// Two titles of one form that fill its last place differently: another cause, another way, another number of things.

/** What a title explains, and by what: "CI is slow because of npm ci", "Missing orders were a time zone bug". */
const EXPLAINED = [
  /^(.+?)\s(?:because(?: of)?|due to|(?:is|are|was|were) caused by|c(?:o|a)mes? from|stem(?:s|med)? from)\s(.+)$/i,
  /^(.+?)\s(?:is|are|was|were)\s(?:an?\s)?(.+?)\s(?:bug|problem|issue)s?$/i,
];

/** Two titles that explain one thing by two causes that have nothing in common: one of the diagnoses was refuted. */
export function otherCause({ earlier: { title: one }, later: { title: other } }: Pair<Text>): Opposition | undefined {
  const [here, there] = [explanationIn(one), explanationIn(other)];
  if (!here || !there) return undefined;
  // "Tests fail on Windows because" and "Tests fail on macOS because" explain two things.
  const [less = [], more = []] = [here.effect, there.effect].sort((a, b) => a.length - b.length);
  const wider = distinct(more);
  if (!less.every(({ stem }) => wider.has(stem))) return undefined;
  const causes = distinct(there.cause);
  if (causes.size === 0 || here.cause.length === 0 || here.cause.some(({ stem }) => causes.has(stem))) return undefined;
  const words = written([...here.cause, ...there.cause]);
  return { kind: 'cause', score: sum(distinct(less).values()), earlier: one, later: other, words };
}

const explanationIn = readOnce(({ text }): { effect: Word[]; cause: Word[] } | undefined => {
  const found = EXPLAINED.map((form) => form.exec(text)).find((match) => match !== null);
  if (found === undefined) return undefined;
  const [, effect = '', cause = ''] = found;
  return { effect: wordsOf(effect), cause: wordsOf(cause) };
});

const MEANS = /^(.+?)\s(by|via|through)\s(.+)$/i;
/** Where something is kept. */
const HELD = /^(.+?)\s(?:lives?|lies?|(?:is|are)\s(?:stored|kept|saved|held))\s(in|on)\s(.+)$/i;
const waysIn = readOnce(({ text }) => [MEANS.exec(text), HELD.exec(text)]);
/** Words that name a way: a longer rest qualifies what it says. */
const MOST_MEANS = 3;

/** Two titles that say how one thing is done, or where it is kept, and name two ways: "the API pages by offset". */
export function otherMeans({ earlier: { title: one }, later: { title: other } }: Pair<Text>): Opposition | undefined {
  // To deny one way leaves room for another.
  if (one.denials.length > 0 || other.denials.length > 0) return undefined;
  const [ways, others] = [waysIn(one), waysIn(other)];
  const form = ways.findIndex((way, i) => way !== null && others[i] !== null);
  const [here, there] = [ways[form], others[form]];
  if (!here || !there || here[2]?.toLowerCase() !== there[2]?.toLowerCase()) return undefined;
  const same = sameStart(here[1], there[1]);
  const [rest, otherRest] = [wordsOf(here[3]), wordsOf(there[3])];
  if (same === undefined || [rest, otherRest].some(({ length }) => length === 0 || length > MOST_MEANS))
    return undefined;
  if (otherRest.some(({ stem }) => rest.some((word) => word.stem === stem))) return undefined;
  const score = sum(same) / (sum(same) + Math.max(sum(rest), sum(otherRest)));
  return { kind: 'means', score, earlier: one, later: other, words: written([...rest, ...otherRest]) };
}

const COUNTED = /^(.+?)\s(?:an?\s)?(single|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\s(\p{L}+)$/iu;
const countIn = readOnce(({ text }) => COUNTED.exec(text));
const SAME_NUMBER = new Map([['single', 'one']]);

/** Two titles that differ only in how many of something there are: "the API runs with three replicas". */
export function otherCount({ earlier: { title: one }, later: { title: other } }: Pair<Text>): Opposition | undefined {
  const [here, there] = [countIn(one), countIn(other)];
  if (!here || !there) return undefined;
  const same = sameStart(here[1], there[1]);
  const [many = '', others = ''] = [here[2], there[2]].map(
    (count = '') => SAME_NUMBER.get(count) ?? count.toLowerCase(),
  );
  const [things, what] = [here[3], there[3]].map((thing = '') => stem(thing.toLowerCase()));
  if (same === undefined || things !== what || many === others) return undefined;
  return { kind: 'value', score: sum(same), earlier: one, later: other, words: [many, others] };
}

/** The words with which both begin; undefined if they begin differently, or with less than a subject and what it does. */
function sameStart(one: string | undefined, other: string | undefined): Word[] | undefined {
  const [here, there] = [wordsOf(one), wordsOf(other)];
  return here.length >= 2 && stemsIn(here) === stemsIn(there) ? here : undefined;
}

function wordsOf(text = ''): Word[] {
  return parseSentence(text).words;
}

function stemsIn(words: Word[]): string {
  return words.map(({ stem }) => stem).join(' ');
}

function written(words: Word[]): string[] {
  return words.map(({ written }) => written);
}
