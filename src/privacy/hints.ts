/** Whether a text contains a lower-case string, whatever its own case. */
export type Holds = (hint: string) => boolean;

let last: { text: string; holds: Holds } | undefined;

/** For each hash of three adjacent characters, the number of the last text that has them. */
const lastWithTriple = new Uint32Array(1 << 16);
let texts = 0;

/**
 * Looks for strings in a text. Many rules share the words of all languages and look at the same text in turn, so each
 * string is looked for once, and only if the text has all its groups of three characters.
 */
export function hintsIn(text: string): Holds {
  if (last?.text === text) return last.holds;
  const lower = text.toLowerCase();
  const number = ++texts;
  for (let at = 2; at < lower.length; at++) lastWithTriple[tripleAt(lower, at)] = number;
  const known = new Map<string, boolean>();
  const mayHold = (hint: string) => {
    // A later text has taken the table over.
    if (number !== texts) return true;
    for (let at = hint.length - 1; at > 1; at--) if (lastWithTriple[tripleAt(hint, at)] !== number) return false;
    return true;
  };
  const holds = (hint: string) => {
    if (!mayHold(hint)) return false;
    const answer = known.get(hint) ?? lower.includes(hint);
    known.set(hint, answer);
    return answer;
  };
  last = { text, holds };
  return holds;
}

/** The hash of the character at a place and the two before, 0 to 65,535. */
function tripleAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 2) * 31 + text.charCodeAt(at - 1)) * 251 + text.charCodeAt(at)) & 0xffff;
}
