import { agreement, distinctIn, sum } from './agreement.ts';
import type { Opposition, Pair, Text } from './claims.ts';
import { parseSentence, readOnce, type Sentence, type Word } from './sentence.ts';

// Oppositions without a denial: another value of one quantity, or another title for one subject.

/** The same quantity or version with another value. */
export function otherValue({ earlier, later }: Pair<Sentence>, texts: Pair<Text>): Opposition | undefined {
  const isTitles = earlier === texts.earlier.title && later === texts.later.title;
  if (earlier.words[0]?.stem !== later.words[0]?.stem && !shareName(earlier, later)) return undefined;
  const [one, other] = [measuresIn(earlier), measuresIn(later)];
  for (const { word, kind } of one) {
    if (texts.later.stems.has(word.stem) && !(isTitles && !later.stems.has(word.stem))) continue;
    const there = other.find((value) => value.kind === kind && value.word.stem !== word.stem);
    if (there === undefined) continue;
    if (texts.earlier.stems.has(there.word.stem) && !(isTitles && !earlier.stems.has(there.word.stem))) continue;
    if (areOfOtherThings(earlier.words, word, later.words, there.word)) continue;
    const isNoValue = ({ kind: of }: Word) => of !== 'value';
    const score = agreement(
      earlier.words.filter(isNoValue),
      later.words.filter(isNoValue),
      isTitles ? Math.min : Math.max,
    );
    const words = [word.written, there.word.written];
    return { kind: kind === 'version' ? kind : 'value', score, earlier, later, words };
  }
  return undefined;
}

/** Tells whether each value has a word before it that the other one lacks: two things have two values. */
function areOfOtherThings(earlier: Word[], value: Word, later: Word[], other: Word): boolean {
  const [before, after] = [earlier.slice(0, earlier.indexOf(value)), later.slice(0, later.indexOf(other))];
  const own = (words: Word[], others: Word[]) => words.filter((word) => !others.some(({ stem }) => stem === word.stem));
  const [here, there] = [own(before, after), own(after, before)];
  const isSame = VALUED.some((verbs) => [...here, ...there].every((word) => verbs.has(word.stem)));
  return here.length > 0 && there.length > 0 && !isSame;
}

/** Verbs that say of a thing which value it has, and those that say how long it lasts: they tell no things apart. */
const VALUED = [
  'pinned set goes bumped raised lowered changed updated stays follows capped limited',
  'expire kept lasts live deleted retained purged forgotten',
].map((verbs) => new Set(verbs.split(' ').flatMap((verb) => parseSentence(verb).words.map(({ stem }) => stem))));

function shareName(one: Sentence, other: Sentence): boolean {
  return one.words.some(({ stem, kind }) => kind === 'name' && other.stems.has(stem));
}

const UNIT =
  /^(?:ns|us|ms|s|sec|second|minut|min|hour|h|day|week|month|year|byt|b|kb?|kib?|mb?|mib?|gb?|gib?|token|lin|charact|record|fil|retry|attempt|percent|x)$/;

/** 24 hours and 30 days measure one thing. */
const DIMENSION: [RegExp, string][] = [
  [/^(?:ns|us|ms|s|sec|second|minut|min|hour|h|day|week|month|year)$/, 'time'],
  [/^(?:byt|b|[kmg]i?b?)$/, 'size'],
];

/** The numbers of a sentence by what they measure; a number without a unit may name a row or a version of something. */
const measuresIn = readOnce(({ words }) =>
  words.flatMap((word, i): { word: Word; kind: string }[] => {
    if (word.kind !== 'value') return [];
    if (/\d\.\d.*\.\d|^v\d/.test(word.stem)) return [{ word, kind: 'version' }];
    const next = words[i + 1]?.clause === word.clause ? words[i + 1]?.stem : undefined;
    const unit = /^\d[\d.]*-?([a-z]+)$/.exec(word.stem)?.[1] ?? next;
    return unit !== undefined && UNIT.test(unit)
      ? [{ word, kind: DIMENSION.find(([of]) => of.test(unit))?.[1] ?? unit }]
      : [];
  }),
);

/** What something does in one way, several things only in few: a record that says another one speaks of a change. */
const DOES =
  /^(?:(?:live|listen|come|default|belong)s?|(?:run|write|use|return|show|log|create|collect|start|keep|store|read|send|take|get|hold|put)s|goes)$/i;

/** Two sentences, one of them a title, that begin with the same words up to what something does, and then say another thing. */
export function otherObject({ earlier, later }: Pair<Sentence>, texts: Pair<Text>): Opposition | undefined {
  if (earlier !== texts.earlier.title && later !== texts.later.title) return undefined;
  const [one, other] = [earlier.words, later.words];
  const last = one.findIndex(({ stem }, at) => stem !== other[at]?.stem) - 1;
  if (last < 1 || !DOES.test(one[last]?.written ?? '') || !DOES.test(other[last]?.written ?? '')) return undefined;
  const [rest, others] = [one.slice(last + 1), other.slice(last + 1)];
  if (others.length === 0 || others.some(({ stem }) => rest.some((word) => word.stem === stem))) return undefined;
  // What runs with one thing may run with others too.
  const isWith = ({ text }: Sentence) => text.includes(` ${one[last]?.written} with `);
  if (isWith(earlier) && isWith(later)) return undefined;
  const shared = sum(one.slice(0, last + 1));
  const score = shared / (shared + Math.max(sum(rest), sum(others)));
  return { kind: 'other', score, earlier, later, words: [...rest, ...others].map(({ written }) => written) };
}

const SOLE = /\b(?:defaults?|only|sole|best)\b/i;

/** Words by which a record says that something is other than it was, or was said to be. */
const CHANGE =
  /\b(?:now|no longer|any ?more|instead of|rather than|replaced|removed|dropped|reverted|previously|used to|after all|was wrong|always|every time|only (?:if|when|with))\b/i;

/** Titles that say another thing of one subject: two defaults, or what the later record says was changed. */
export function otherTitle({ earlier, later }: Pair<Text>): Opposition | undefined {
  const [one, other, next] = [earlier.title, later.title, later.sentences[1]];
  const [before, after] = [distinctIn(one), distinctIn(other)];
  const only = (here: ReadonlyMap<string, Word>, there: ReadonlyMap<string, Word>) =>
    [...here.values()].filter(({ stem }) => !there.has(stem));
  const [left, right] = [only(before, after), only(after, before)];
  const shared = [...before.values()].filter(({ stem, kind }) => after.has(stem) && kind !== 'value');
  if (left.length === 0 || right.length === 0 || shared.length < 2) return undefined;
  const score = sum(shared) / (sum(shared) + Math.max(sum(left), sum(right)));
  const words = [...left, ...right].map(({ written }) => written);
  if (SOLE.test(one.text) && SOLE.test(other.text) && Math.max(left.length, right.length) <= 2) {
    return { kind: 'default', score, earlier: one, later: other, words };
  }
  const saying = [other, next].find((sentence) => sentence !== undefined && CHANGE.test(sentence.text));
  return saying && { kind: 'changed', score, earlier: one, later: saying, words };
}
