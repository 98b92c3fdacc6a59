import { afterAll, beforeAll } from 'vitest';

/** Registers a cleanup, which runs after the test, or after all tests that share the resource. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/** Where a `beforeAll` registers its cleanups: they run after all tests of the file or `describe`, the last first. */
export function afterAllTests(): AtEnd {
  const ends: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return (end) => void ends.unshift(end);
}

/**
 * Makes one set-up for all tests of a file or `describe` that leave it as it was: before the first of them, and ended
 * after the last. Gives a function that gives it to a test.
 */
export function forAllTests<T>(make: (atEnd: AtEnd) => T | Promise<T>): () => T {
  const atEnd = afterAllTests();
  let made: { setUp: T } | undefined;
  beforeAll(async () => {
    made = { setUp: await make(atEnd) };
  });
  return () => {
    if (made === undefined) throw new Error('What the tests share is only there while a test runs.');
    return made.setUp;
  };
}
