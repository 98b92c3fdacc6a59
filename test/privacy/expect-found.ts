import { expect } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';
import { createDice, type Dice } from './secret-corpus.ts';

/** What makes the values of a class of secrets, and texts with `{}` in their place. */
export type SecretClass = readonly [(dice: Dice) => string, readonly string[]];

/** Expects that no text of a class keeps its value, with new values for each text and seed. */
export function expectFound([make, texts]: SecretClass, seeds: readonly number[]): void {
  for (const seed of seeds) {
    const dice = createDice(seed);
    for (const text of texts) {
      const value = make(dice);
      expect(redactSecrets(text.replaceAll('{}', () => value)).text).not.toContain(value);
    }
  }
}
