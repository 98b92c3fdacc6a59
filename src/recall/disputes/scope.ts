import { agreement } from './agreement.ts';
import type { Opposition, Pair } from './claims.ts';
import { readOnce, type Sentence, type Word } from './sentence.ts';

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
export function otherScope({ earlier, later }: Pair<Sentence>): Opposition | undefined {
  const [here, there] = [scopesIn(earlier), scopesIn(later)];
  for (const [i, { choose }] of SCOPES.entries()) {
    const [one, other] = [here[i], there[i]];
    if (!one || !other || one.side === other.side) continue;
    const score = agreement(affirmedIn(earlier), affirmedIn(later), choose);
    return { kind: 'contrary', score, earlier, later, words: [one.word, other.word] };
  }
  return undefined;
}

/** For each of the scopes the word of a sentence that takes one side; undefined if it takes none or both. */
const scopesIn = readOnce(({ text }) =>
  SCOPES.map(({ sides }) => {
    const found = sides.flatMap((pattern, side) => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [{ word, side }];
    });
    return found.length === 1 ? found[0] : undefined;
  }),
);

function affirmedIn({ words, denied }: Sentence): Word[] {
  return words.filter(({ stem }) => !denied.has(stem));
}
