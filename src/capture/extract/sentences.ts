/** Never cut: code spans, brackets, quotations, abbreviations, the number of a list, an ellipsis in mid-sentence. */
const WHOLE =
  /`[^`]{1,400}`|\([^()]{1,400}\)|\[[^[\]]{1,400}\]|"[^"]{1,400}"|“[^”]{1,400}”|«[^»]{1,400}»|\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|nr|no|fig|dr|mrs?)\.(?=\s+\S)|(?<=^\s*)\d{1,3}\.|(?:…|\.{3})(?=\s+\p{Ll})/giu;
// The run of closing marks is bounded, so that matching takes linear time.
const END = /[。！？]|[.!?…]["'”’)».!?…]{0,9}(?=\s|$)/gu;

/** Splits one line into its sentences, each with its own end mark. */
export function sentencesOf(text: string): string[] {
  const marked = text.replace(WHOLE, (whole) => 'X'.repeat(whole.length));
  const ends = [...marked.matchAll(END)].map(({ 0: mark, index }) => index + mark.length);
  return [0, ...ends]
    .map((start, i) => text.slice(start, ends[i]).trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
