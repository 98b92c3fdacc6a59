/** Limits how many requests each token, person or address makes. */
export interface Rates {
  /** Takes one request of this key's allowance; seconds to wait if there is none left, otherwise undefined. */
  take(key: string): number | undefined;
}

/** Most keys that are kept: when there are more, those with a full allowance are forgotten. */
const MOST_KEYS = 100_000;

/** A bucket a key, which holds `perMinute` requests and fills evenly. `now` is in milliseconds. */
export function createRates(perMinute: number, now: () => number): Rates {
  const buckets = new Map<string, { left: number; at: number }>();
  const filled = ({ left, at }: { left: number; at: number }, time: number) => {
    return Math.min(perMinute, left + ((time - at) / 60_000) * perMinute);
  };
  return {
    take(key) {
      const time = now();
      const bucket = buckets.get(key) ?? { left: perMinute, at: time };
      const left = filled(bucket, time);
      if (left < 1) return Math.ceil(((1 - left) * 60) / perMinute);
      if (!buckets.has(key) && buckets.size >= MOST_KEYS) {
        for (const [old, one] of buckets) if (filled(one, time) >= perMinute) buckets.delete(old);
      }
      buckets.set(key, { left: left - 1, at: time });
      return undefined;
    },
  };
}
