import { describe, expect, it } from 'vitest';
import { sampled } from '../support/sampled.ts';
import { SEED, trials } from '../support/trials.ts';
import { redactSecrets } from './redact-secrets.ts';
import { createDice } from './secret-corpus.ts';
import { measuredLookAlikes, measuredSecrets, recallOf } from './secret-measure.ts';
import { secretSamples } from './secret-shapes.ts';

/** Rates are measured on one corpus; `npm run bench -- secrets` measures them on others. */
const CORPUS = 20_261_121;

describe('redactSecrets on the generated corpus', () => {
  it('finds at least 98 % of the secrets, whichever tool prints them', () => {
    const samples = measuredSecrets(CORPUS, 0.4, (all) => sampled(all, ({ part, shape }) => `${part} ${shape}`));
    const missed = samples.filter(({ isFound }) => !isFound);
    expect(samples.length).toBeGreaterThanOrEqual(trials(2_000));
    expect(new Set(samples.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(100);
    expect(new Set(samples.map(({ shape }) => shape)).size).toBeGreaterThanOrEqual(150);
    expect(recallOf(samples), described(missed)).toBeGreaterThanOrEqual(0.98);
    for (const [part, least] of Object.entries({ first: 0.99, tuned: 0.98, 'held out': 0.98, unseen: 0.93 })) {
      const own = samples.filter((sample) => sample.part === part);
      expect(own.length).toBeGreaterThanOrEqual(trials(300));
      expect(recallOf(own), `${part}\n${described(own.filter(({ isFound }) => !isFound))}`).toBeGreaterThanOrEqual(
        least,
      );
    }
  });

  it('finds every secret that its issuer’s format identifies, in every shape', () => {
    const samples = secretSamples(createDice(SEED + 1), 1).filter(
      ({ family, needles }) => family === 'known' && needles.length > 0,
    );
    const missed = sampled(samples, ({ kind }) => kind).filter(({ text, needles }) =>
      needles.some((needle) => redactSecrets(text).text.includes(needle)),
    );
    expect(described(missed)).toBe('');
  });

  it('takes at most 1 % of the look-alikes for secrets, and at most 5 % of any kind', () => {
    const texts = measuredLookAlikes(CORPUS + 2, trials(8));
    const wrong = texts.filter(({ isSpared }) => !isSpared);
    expect(texts.length).toBeGreaterThanOrEqual(trials(2_000));
    expect(wrong.length / texts.length, wrong.map(({ redacted }) => redacted).join('\n')).toBeLessThanOrEqual(0.01);
    for (const kind of new Set(wrong.map((one) => one.kind))) {
      const [all, own] = [texts, wrong].map((list) => list.filter((one) => one.kind === kind).length);
      expect((own ?? 0) / (all ?? 1), kind).toBeLessThanOrEqual(0.05);
    }
  });

  it('changes nothing when it is run on its own output', () => {
    for (const { text } of sampled(secretSamples(createDice(SEED + 3), 1), ({ shape }) => shape)) {
      const once = redactSecrets(text).text;
      expect(redactSecrets(once).text).toBe(once);
    }
  });
});

function described(samples: { kind: string; shape: string }[]): string {
  return samples.map(({ kind, shape }) => `${kind} (${shape})`).join('\n');
}
