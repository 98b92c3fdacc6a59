import { afterAll, beforeAll } from 'vitest';

/** Registers a cleanup, which runs after the test, or after all tests that share the resource. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/**
 * Makes one set-up for all tests of a file or `describe` that leave it as it was: before the first of them, and ended
 * after the last. Gives a function that gives it to a test.
 */
export function forAllTests<T>(make: (atEnd: AtEnd) => T | Promise<T>): () => T {
  const ends: (() => void | Promise<void>)[] = [];
  let made: { setUp: T } | undefined;
  beforeAll(async () => {
    made = { setUp: await make((end) => ends.unshift(end)) };
  });
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return () => {
    if (made === undefined) throw new Error('What the tests share is only there while a test runs.');
    return made.setUp;
  };
}
