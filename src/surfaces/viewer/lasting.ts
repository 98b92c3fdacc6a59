/** What somebody who reloads a page does not notice. */
const REST_MS = 5000;

/** The largest share of the time that computing may take, as a divisor. */
const SHARE = 10;

/**
 * Caches an expensive result that may be some seconds old: computed when first asked for, once at a time, and again
 * only after a while in proportion to the time it takes, `restMs` at least. A failure is not cached.
 */
export function lasting<T>(compute: () => Promise<T>, restMs = REST_MS): () => Promise<T> {
  let held: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (held !== undefined && Date.now() < held.until) return held.value;
    const start = Date.now();
    const mine = { value: compute(), until: Number.POSITIVE_INFINITY };
    held = mine;
    mine.value.then(
      () => {
        const now = Date.now();
        mine.until = now + Math.max(restMs, (now - start) * SHARE);
      },
      () => {
        if (held === mine) held = undefined;
      },
    );
    return mine.value;
  };
}
