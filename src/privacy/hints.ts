/** Tells whether a text contains a lower-case string, whatever its own case. */
export type Holds = (hint: string) => boolean;

let last: { text: string; holds: Holds } | undefined;

/**
 * Looks for strings in a text. Many rules share the words of all languages, and are asked about the same text one after
 * the other: each string is looked for once, and none of another alphabet in plain ASCII.
 */
export function hintsIn(text: string): Holds {
  if (last?.text === text) return last.holds;
  const lower = text.toLowerCase();
  const isAscii = !/[^\x00-\x7f]/u.test(lower);
  const known = new Map<string, boolean>();
  const holds = (hint: string) => {
    const answer = known.get(hint) ?? (!(isAscii && /[^\x00-\x7f]/u.test(hint)) && lower.includes(hint));
    known.set(hint, answer);
    return answer;
  };
  last = { text, holds };
  return holds;
}
