/** The ids that contradict each id, from pairs of ids. Apart from the rules, which few hooks load. */
export function rivalsById(pairs: Iterable<readonly [string, string]>): Map<string, string[]> {
  const rivals = new Map<string, string[]>();
  for (const [one, other] of pairs) {
    rivals.set(one, [...(rivals.get(one) ?? []), other]);
    rivals.set(other, [...(rivals.get(other) ?? []), one]);
  }
  return rivals;
}
