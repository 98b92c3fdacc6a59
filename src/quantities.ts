/** A number with its noun: `1 file`, `2 files`. */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Each value with its count: most frequent first, then by name. */
export function frequencies(values: Iterable<string>): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** A score rounded to four decimal places. */
export function rounded(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}

/** Values grouped by key, in their order. */
export function grouped<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

/** A size for people: `640 bytes`, `12 KB`, `3.4 MB`. */
export function bytes(n: number): string {
  if (n < 1000) return counted(n, 'byte');
  return n < 1e6 ? `${Math.round(n / 1000)} KB` : `${(n / 1e6).toFixed(1)} MB`;
}
