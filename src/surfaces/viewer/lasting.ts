/** The shortest time that an answer holds, in milliseconds. */
const REST_MS = 5000;

/** The part of the time at most that goes into computing it, as a divisor. */
const SHARE = 10;

/**
 * What is expensive to compute and may be some seconds old: computed when first asked for, by one at a time, and again only after
 * a while in proportion to what it takes. A failure is not kept.
 */
export function lasting<T>(compute: () => Promise<T>): () => Promise<T> {
  let held: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (held !== undefined && Date.now() < held.until) return held.value;
    const start = Date.now();
    const mine = { value: compute(), until: Number.POSITIVE_INFINITY };
    held = mine;
    mine.value.then(
      () => {
        const now = Date.now();
        mine.until = now + Math.max(REST_MS, (now - start) * SHARE);
      },
      () => {
        if (held === mine) held = undefined;
      },
    );
    return mine.value;
  };
}
