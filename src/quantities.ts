/** A number with its noun: `1 file`, `2 files`. */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** A size for people: `640 bytes`, `12 KB`, `3.4 MB`. */
export function bytes(n: number): string {
  if (n < 1000) return counted(n, 'byte');
  return n < 1e6 ? `${Math.round(n / 1000)} KB` : `${(n / 1e6).toFixed(1)} MB`;
}
