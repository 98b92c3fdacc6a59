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

/** The same for each of several things, such as snapshots: what is not used any more is forgotten with its thing. */
export function lastingFor<K extends object, T>(restMs?: number): (key: K, compute: () => Promise<T>) => Promise<T> {
  const known = new WeakMap<K, () => Promise<T>>();
  return (key, compute) => {
    const held = known.get(key) ?? lasting(compute, restMs);
    known.set(key, held);
    return held();
  };
}
