import { FULL, SEED } from './trials.ts';

/** All of them in a full run; otherwise the first of each kind, and about a fifth of the others. */
export function sampled<T>(all: T[], kindOf: (one: T) => string): T[] {
  if (FULL) return all;
  const met = new Set<string>();
  return all.filter((one, i) => {
    const kind = kindOf(one);
    const isFirst = !met.has(kind);
    met.add(kind);
    return isFirst || i % 5 === SEED % 5;
  });
}
