import { distinctIn, sum } from './agreement.ts';
import type { Opposition, Pair, Text } from './claims.ts';
import type { Denial, Sentence, Word } from './sentence.ts';

// One sentence denies what the other says of the same thing. The weights, like the bars of all rules, were chosen by
// trying them on the pairs of `test/fixtures/disputes` on which the rules were designed (`development.jsonl`,
// `changes.jsonl`). An ordinary word weighs one, a name more, a common word less.

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
/** Added where all of what is over is said. */
const WHOLE = 0.5;

/**
 * The oppositions of two sentences of which one denies what the other says, or says that it no longer holds: what ended
 * before the later record was written is no news to it.
 */
export function deniedIn({ earlier, later }: Pair<Sentence>, texts: Pair<Text>): Opposition[] {
  const ended = flip(later, earlier, { denying: texts.later, saying: texts.earlier });
  const denied = flip(earlier, later, { denying: texts.earlier, saying: texts.later });
  const found = [ended, denied?.kind === 'over' ? undefined : denied];
  return found.flatMap((one) => (one ? [{ ...one, earlier, later }] : []));
}

type Flip = Pick<Opposition, 'score' | 'words'> & { kind: Denial['as'] };

function flip(denying: Sentence, saying: Sentence, texts: { denying: Text; saying: Text }): Flip | undefined {
  if (denying.denials.length === 0) return undefined;
  const [deniedHere, deniedThere] = [denying.denied, saying.denied];
  const said = new Map<string, Word[]>();
  for (const word of saying.words) said.set(word.stem, [...(said.get(word.stem) ?? []), word]);
  const isInTitle = (stem: string) => texts.saying.title.words.some((word) => word.stem === stem);
  let best: Flip | undefined;
  for (const { as: kind, words } of denying.denials) {
    const matched = words.filter(({ stem }) => said.has(stem) && !deniedThere.has(stem));
    const head = words[0];
    if (matched.length === 0 || head === undefined) continue;
    const isNamed = matched.some((word) => word.kind === 'name');
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
    const isWhole = kind === 'over' && matched.length === words.length && (words.length > 1 || isNamed);
    if (!isWhole && matched.length === 1 && context < LEAST_CONTEXT) continue;
    const least = Math.min(sum(distinctIn(denying).values()), sum(distinctIn(saying).values()));
    if (!isWhole && sum(matched) + context < LEAST_SHARE * least) continue;
    const around = [...texts.denying.stems].filter((one) => {
      return texts.saying.stems.has(one) && !stems.has(one) && !shared.has(one);
    }).length;
    const subject = denying.words.filter((word) => near.denying.has(word.clause) && !words.includes(word));
    const isOther = subject.length > 0 && !subject.some(({ stem }) => said.has(stem) || isInTitle(stem));
    const score =
      got +
      (isWhole ? WHOLE : 0) +
      Math.min(context, MOST_CONTEXT) +
      Math.min(around * AROUND, 1) -
      (isOther ? OTHER_SUBJECT : 0);
    if (best === undefined || score > best.score) best = { kind, score, words: matched.map(({ written }) => written) };
  }
  return best;
}
