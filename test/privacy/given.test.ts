import { expect, it } from 'vitest';
import { expectFound } from './expect-found.ts';
import { GIVEN, NOT_GIVEN } from './given-words.ts';
import { redactSecrets } from './redact-secrets.ts';

const SEEDS = [51, 52, 53];

it.each(Object.entries(GIVEN))('finds words where only a secret can be: %s', (_, shape) => {
  expectFound(shape, SEEDS);
});

it.each(Object.entries(NOT_GIVEN))('leaves alone where a secret could be: %s', (_, texts) => {
  for (const text of texts) expect.soft(redactSecrets(text).text).toBe(text);
});
