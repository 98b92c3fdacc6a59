import { stem } from '../index/tokens.ts';
import { agreement, distinctIn, sum } from './agreement.ts';
import type { Opposition, Pair, Text, Texts } from './claims.ts';
import { areContrary, mayBeContrary } from './contraries.ts';
import { oppositesOf } from './opposites.ts';
import { otherObject, otherTitle, otherValue } from './other-values.ts';
import { otherScope } from './scope.ts';
import type { Denial, Sentence, Word } from './sentence.ts';
import { otherCause, otherCount, otherMeans } from './title-forms.ts';

// The rules by which two sentences oppose each other. Each gives a score: how much they share beside the words in which
// they oppose each other, so that the same verb about two things is no opposition.

/** The least score by rule; from there on all but a few pairs of the development half contradict each other. */
const BAR: Bars = {
  denied: 1.5,
  over: 1.45,
  contrary: 1.6,
  value: 0.95,
  version: 0.95,
  default: 0.6,
  changed: 0.54,
  other: 0.35,
  means: 0.35,
  cause: 1.8,
};

type Bars = Record<Opposition['kind'], number>;

/**
 * The least score where the pair is injected, because an agent would act on it: of two releases neither is wrong, and words of change
 * in a title often belong to another thing. On 12,871 subjects of commits 21 pairs were named, of which 12 were right (before
 * counts and units of one dimension were compared); of the
 * pairs named among titles that records have, all are.
 */
export const INJECTED_BAR: Bars = {
  denied: 2.7,
  over: 2.7,
  contrary: 2.1,
  value: 1.45,
  version: Number.POSITIVE_INFINITY,
  default: Number.POSITIVE_INFINITY,
  changed: Number.POSITIVE_INFINITY,
  other: 0.5,
  // A second cause or way may be one of several.
  means: Number.POSITIVE_INFINITY,
  cause: Number.POSITIVE_INFINITY,
};

/** What more a pair needs if the records share no file. */
const APART = 0.8;

/** The strongest opposition between two records, or undefined. */
export function strongestOpposition(
  earlier: Text,
  later: Text,
  isFileShared: boolean,
  bar = BAR,
): Opposition | undefined {
  let best: Opposition | undefined;
  if (!isFileShared && !haveOneSubject(earlier, later)) return undefined;
  const consider = (found: Opposition | undefined) => {
    if (found === undefined) return;
    const margin = found.score - bar[found.kind];
    if (margin < (isFileShared ? 0 : APART) || (best !== undefined && margin <= best.score - bar[best.kind])) return;
    best = found;
  };
  consider(otherTitle({ earlier, later }));
  for (const otherOne of [otherCause, otherMeans, otherCount]) consider(otherOne({ earlier, later }));
  for (const one of earlier.sentences) {
    for (const other of later.sentences) {
      const pair = { earlier: one, later: other };
      for (const found of [
        ended(pair, { earlier, later }),
        denied(pair, { earlier, later }),
        contrary(pair),
        otherScope(pair),
        otherObject(pair, { earlier, later }),
        otherValue(pair, { earlier, later }),
      ]) {
        // Looked into only here: hardly any two sentences oppose each other.
        const penalty = found && areAboutOtherThings(one, other, earlier, later) ? OTHER_ACTOR : 0;
        consider(found && { ...found, score: found.score - penalty });
      }
    }
  }
  return best;
}

/** Tells whether the titles share two words, and half of those of the shorter one. */
function haveOneSubject({ sentences: [one] }: Text, { sentences: [other] }: Text): boolean {
  if (one === undefined || other === undefined) return false;
  const [here, there] = [distinctIn(one), distinctIn(other)];
  const shared = [...here.values()].filter(({ stem, kind }) => kind !== 'value' && there.has(stem));
  return shared.length >= 2 && 2 * sum(shared) >= Math.min(sum(here.values()), sum(there.values()));
}

/** The later sentence denies what the earlier one says, or says that it no longer holds. */
function ended({ earlier, later }: Pair, texts: Texts): Opposition | undefined {
  const found = flip(later, earlier, { denying: texts.later, saying: texts.earlier });
  return found && { kind: found.as, score: found.score, words: found.words, earlier, later };
}

/** The earlier sentence denies what the later one says. */
function denied({ earlier, later }: Pair, texts: Texts): Opposition | undefined {
  const found = flip(earlier, later, { denying: texts.earlier, saying: texts.later });
  // What ended before the later record was written is no news to it.
  if (found === undefined || found.as === 'over') return undefined;
  return { kind: 'denied', score: found.score, words: found.words, earlier, later };
}

interface Flip {
  as: Denial['as'];
  score: number;
  words: string[];
}

/** One sentence denies what the other says of the same thing. */
function flip(denying: Sentence, saying: Sentence, texts: { denying: Text; saying: Text }): Flip | undefined {
  if (denying.denials.length === 0) return undefined;
  const [deniedHere, deniedThere] = [denying.denied, saying.denied];
  const said = new Map<string, Word[]>();
  for (const word of saying.words) said.set(word.stem, [...(said.get(word.stem) ?? []), word]);
  let best: Flip | undefined;
  for (const { as, words } of denying.denials) {
    const matched = words.filter(({ stem }) => said.has(stem) && !deniedThere.has(stem));
    const head = words[0];
    if (matched.length === 0 || head === undefined) continue;
    const isNamed = matched.some(({ kind }) => kind === 'name');
    if (!isNamed && sum(matched) <= sum(words) / 2) continue;
    const isAimed = matched.includes(head) || isNamed;
    const got = (sum(matched) ** 2 / sum(words)) * (isAimed ? 1 : 0.4);
    if (got < LEAST_DENIED) continue;
    const stems = new Set(matched.map(({ stem }) => stem));
    const near = {
      denying: new Set(words.map(({ clause }) => clause)),
      saying: new Set(matched.flatMap(({ stem }) => said.get(stem) ?? []).map(({ clause }) => clause)),
    };
    let context = 0;
    const shared = new Set<string>();
    for (const word of denying.words) {
      const there = said.get(word.stem);
      if (there === undefined || stems.has(word.stem) || shared.has(word.stem)) continue;
      if (deniedHere.has(word.stem) !== deniedThere.has(word.stem)) continue;
      shared.add(word.stem);
      const isNear = near.denying.has(word.clause) && there.some(({ clause }) => near.saying.has(clause));
      context += word.weight * (isNear ? 1 : FARTHER);
    }
    const isWhole = as === 'over' && matched.length === words.length && (words.length > 1 || isNamed);
    if (!isWhole && matched.length === 1 && context < LEAST_CONTEXT) continue;
    const least = Math.min(sum(distinctIn(denying).values()), sum(distinctIn(saying).values()));
    if (!isWhole && sum(matched) + context < LEAST_SHARE * least) continue;
    const around = [...texts.denying.stems].filter((one) => {
      return texts.saying.stems.has(one) && !stems.has(one) && !shared.has(one);
    }).length;
    const subject = denying.words.filter((word) => near.denying.has(word.clause) && !words.includes(word));
    const isOther = subject.length > 0 && !subject.some(({ stem }) => said.has(stem) || inTitle(texts.saying, stem));
    const score =
      got +
      (isWhole ? WHOLE : 0) +
      Math.min(context, MOST_CONTEXT) +
      Math.min(around * AROUND, 1) -
      (isOther ? OTHER_SUBJECT : 0);
    if (best === undefined || score > best.score) best = { as, score, words: matched.map(({ written }) => written) };
  }
  return best;
}

// Weights and bars of the rules, like the bars above: chosen by trying them on the pairs of `test/fixtures/disputes` on
// which the rules were designed (`development.jsonl`, `changes.jsonl`). An ordinary word weighs one, a name more, a
// common word less.

/** The least weight of what is denied in one sentence and said in the other. */
const LEAST_DENIED = 0.45;
/** The least weight of other shared words, where only one word is denied. */
const LEAST_CONTEXT = 1;
/** Of the shorter sentence: long ones share a few words by chance. */
const LEAST_SHARE = 0.3;
/** Beyond it, more shared words make an opposition no likelier. */
const MOST_CONTEXT = 4;
/** A shared word in another clause. */
const FARTHER = 0.7;
/** A shared word elsewhere in the records, whatever it says. */
const AROUND = 0.15;
/** Taken off where the denying clause has a subject of which the other record says nothing. */
const OTHER_SUBJECT = 0.7;
/** Taken off where the sentences are about other things. */
const OTHER_ACTOR = 2;
/** Added where all of what is over is said. */
const WHOLE = 0.5;

function inTitle({ sentences }: Text, stem: string): boolean {
  return sentences[0]?.words.some((word) => word.stem === stem) ?? false;
}

/** One sentence says the opposite of the other about the same thing. */
function contrary({ earlier, later }: Pair): Opposition | undefined {
  if (!mayBeContrary(earlier, later)) return undefined;
  const [deniedBefore, deniedAfter] = [earlier.denied, later.denied];
  const [before, after] = [earlier.stems, later.stems];
  let best: Opposition | undefined;
  for (const word of earlier.words) {
    if (after.has(word.stem)) continue;
    for (const there of later.words) {
      const opposite = there.stem;
      if (!areContrary(word.stem, opposite) || before.has(opposite)) continue;
      if (deniedBefore.has(word.stem) !== deniedAfter.has(opposite)) continue;
      const score = agreement(
        earlier.words.filter(({ stem }) => stem !== word.stem),
        later.words.filter(({ stem }) => stem !== opposite && deniedBefore.has(stem) === deniedAfter.has(stem)),
      );
      if (best && best.score >= score) continue;
      best = { kind: 'contrary', score, earlier, later, words: [word.written, there.written] };
    }
  }
  return best;
}

function areAboutOtherThings(one: Sentence, other: Sentence, earlier: Text, later: Text): boolean {
  return haveOtherActors(one, other, earlier, later) || areToldApart(one, other);
}

const WITH = /\b(with|without)\s+(?:(?:an?|the|any|its)\s+)?([\p{L}\p{N}_-]+)/giu;

/** Tells whether one is about what has a thing, and the other about what lacks it. */
function haveAndLack(one: Sentence, other: Sentence): boolean {
  const [here = [], there = []] = [one, other].map(({ text }) => {
    return [...text.matchAll(WITH)].map(([, side = '', thing = '']) => ({
      side: side.toLowerCase(),
      thing: stem(thing.toLowerCase()),
    }));
  });
  return here.some((mine) => there.some(({ side, thing }) => thing === mine.thing && side !== mine.side));
}

/** Tells whether a pair as of `public` and `private` tells them apart. */
function areToldApart(one: Sentence, other: Sentence): boolean {
  if (haveAndLack(one, other)) return true;
  const [here, there] = [one.stems, other.stems];
  return [...here].some((word) => {
    const isPair = (opposite: string) => there.has(opposite) && !here.has(opposite) && !areContrary(word, opposite);
    return !there.has(word) && oppositesOf(word).some(isPair);
  });
}

/** Tells whether each sentence begins with a name that the other record does not mention. */
function haveOtherActors(one: Sentence, other: Sentence, earlier: Text, later: Text): boolean {
  const [a, b] = [actorOf(one), actorOf(other)];
  return a !== undefined && b !== undefined && a !== b && !later.stems.has(a) && !earlier.stems.has(b);
}

/** The name that a sentence begins with. */
function actorOf({ words }: Sentence): string | undefined {
  const [first] = words;
  return first?.kind === 'name' && /[a-z][A-Z]|[_.(/]/.test(first.written) ? first.stem : undefined;
}
