/** Tells whether a text contains a lower-case string, whatever its own case. */
export type Holds = (hint: string) => boolean;

let last: { text: string; holds: Holds } | undefined;

/** For each pair of adjacent characters, by its hash, the number of the last text that has it. */
const lastWithPair = new Uint32Array(1 << 16);
let texts = 0;

/**
 * Looks for strings in a text. Many rules share the words of all languages, and are asked about the same text one after
 * the other: each string is looked for once, and only if the text has its first and last two characters.
 */
export function hintsIn(text: string): Holds {
  if (last?.text === text) return last.holds;
  const lower = text.toLowerCase();
  const number = ++texts;
  for (let at = 1; at < lower.length; at++) lastWithPair[pairAt(lower, at)] = number;
  const known = new Map<string, boolean>();
  const mayHold = (hint: string) =>
    // A later text has taken the table over.
    number !== texts ||
    hint.length < 2 ||
    (lastWithPair[pairAt(hint, 1)] === number && lastWithPair[pairAt(hint, hint.length - 1)] === number);
  const holds = (hint: string) => {
    const answer = known.get(hint) ?? (mayHold(hint) && lower.includes(hint));
    known.set(hint, answer);
    return answer;
  };
  last = { text, holds };
  return holds;
}

/** The hash of the character at a place and the one before, 0 to 65,535. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 251 + text.charCodeAt(at)) & 0xffff;
}
