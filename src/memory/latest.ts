/** A day: the clocks of other machines. */
const CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

/** The latest time (ISO 8601) that a record's date may tell: a later one is invented, or comes from a wrong clock. */
export function latestTime(nowMs: number): string {
  return new Date(nowMs + CLOCK_SKEW_MS).toISOString();
}
