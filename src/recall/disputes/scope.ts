import { agreement } from './agreement.ts';
import type { Opposition, Pair } from './claims.ts';
import type { Sentence, Word } from './sentence.ts';

// How far two sentences say that something goes: for all or for some, before or after.

/** Small words by which two statements of one thing exclude each other; `choose`: as in `agreement`. */
const SCOPES = [
  {
    sides: [
      /\b(?:every|all|whole|always|each|any|full|whatever|regardless|everything|both)\b/i,
      /\b(?:only|alone|solely|just|except|nobody|nothing|single|one|sometimes)\b/i,
    ],
    choose: Math.min,
  },
  // Two sentences of which each has an order share much only where it is the same two things.
  { sides: [/\bbefore\b/i, /\bafter\b/i], choose: Math.max },
];

/** One sentence says of all what the other says of some, or of before what the other says of after. */
export function otherScope({ earlier, later }: Pair): Opposition | undefined {
  for (const { sides, choose } of SCOPES) {
    const [here = [], there = []] = [earlier, later].map(({ text }) => sides.map((side) => side.exec(text)?.[0]));
    const isOne = (found: unknown[]) => found.filter(Boolean).length === 1;
    const [one, other] = [here.find(Boolean), there.find(Boolean)];
    if (!one || !other || !isOne(here) || !isOne(there) || here.indexOf(one) === there.indexOf(other)) continue;
    const score = agreement(affirmedIn(earlier), affirmedIn(later), choose);
    return { kind: 'contrary', score, earlier, later, words: [one, other] };
  }
  return undefined;
}

function affirmedIn({ words, denied }: Sentence): Word[] {
  return words.filter(({ stem }) => !denied.has(stem));
}
