import { FULL, SEED } from './trials.ts';

/** All of them in a full run; otherwise the first of each kind, and one of `every` others. */
export function sampled<T>(all: T[], kindOf: (one: T) => string, every = 10): T[] {
  if (FULL) return all;
  const met = new Set<string>();
  return all.filter((one, i) => {
    const kind = kindOf(one);
    const isFirst = !met.has(kind);
    met.add(kind);
    return isFirst || i % every === SEED % every;
  });
}
