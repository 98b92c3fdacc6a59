import { test } from 'vitest';
import { createRepository } from './repository.ts';

/**
 * A test that may ask for a repository of its own: `it('…', ({ repository }) => …)`. In a file of its own, because only
 * Vitest can load it, and benchmarks make repositories too.
 */
export const it = test.extend('repository', () => createRepository());
