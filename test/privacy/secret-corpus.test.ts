import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/privacy/secrets.ts';
import { lookAlikes } from './look-alikes.ts';
import { createDice, KINDS } from './secret-corpus.ts';
import { secretSamples } from './secret-shapes.ts';

const SEED = 20_261_121;

describe('redactSecrets on the generated corpus', () => {
  it('finds at least 98 % of the secrets', () => {
    const samples = secretSamples(createDice(SEED), 1).filter(({ needles }) => needles.length > 0);
    const missed = samples.filter(({ text, needles }) =>
      needles.some((needle) => redactSecrets(text).text.includes(needle)),
    );
    expect(KINDS.length).toBeGreaterThanOrEqual(40);
    expect(samples.length).toBeGreaterThanOrEqual(600);
    expect(missed.length / samples.length, described(missed)).toBeLessThanOrEqual(0.02);
  });

  it('finds every secret whose issuer marks it, in every shape', () => {
    const samples = secretSamples(createDice(SEED + 1), 1).filter(
      ({ family, needles }) => family === 'known' && needles.length > 0,
    );
    const missed = samples.filter(({ text, needles }) =>
      needles.some((needle) => redactSecrets(text).text.includes(needle)),
    );
    expect(described(missed)).toBe('');
  });

  it('takes at most 1 % of the look-alikes for secrets', () => {
    const texts = lookAlikes(createDice(SEED + 2), 8);
    const wrong = texts.filter((text) => redactSecrets(text).text !== text);
    expect(texts.length).toBeGreaterThanOrEqual(600);
    expect(wrong.length / texts.length, wrong.slice(0, 10).join('\n')).toBeLessThanOrEqual(0.01);
  });

  it('changes nothing when it reads its own output', () => {
    for (const { text } of secretSamples(createDice(SEED + 3), 1)) {
      const once = redactSecrets(text).text;
      expect(redactSecrets(once).text).toBe(once);
    }
  });
});

function described(samples: { kind: string; shape: string }[]): string {
  return samples.map(({ kind, shape }) => `${kind} (${shape})`).join('\n');
}
