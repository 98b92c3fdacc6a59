import { expect, it } from 'vitest';
import { expectFound } from './expect-found.ts';
import { redactSecrets } from './redact-secrets.ts';
import { NOT_SAID, SAID } from './tongue-words.ts';

const SEEDS = [61, 62, 63];

it.each(Object.entries(SAID))('finds what people say in their languages: %s', (_, shape) => {
  expectFound(shape, SEEDS);
});

it.each(Object.entries(NOT_SAID))('leaves alone what people say in their languages: %s', (_, texts) => {
  for (const text of texts) expect.soft(redactSecrets(text).text).toBe(text);
});
