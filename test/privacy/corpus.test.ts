import { expect, it } from 'vitest';
import { sampled } from '../support/sampled.ts';
import { trials } from '../support/trials.ts';
import { redactSecrets } from './redact-secrets.ts';
import { blindSamples, isRight, placedSamples, type Sample } from './samples.ts';

/** Rates are measured on one corpus; `npm run bench -- secrets` measures them on others. */
const CORPUS = 20_261_121;
// A rate needs many of them: twice as many as other generated cases.
const PLACED = sampled(placedSamples(CORPUS), ({ set, place }) => `${set} ${place}`, 5);
const BLIND = blindSamples(CORPUS);

it.each([
  ['own', 'places that rules were written for', 0.97],
  ['wide', 'the second set of them', 0.97],
  ['unseen', 'places that no rule was written for', 0.93],
  ['blind, ordinary', 'ordinary ways to write a secret, written before any rule had seen them', 0.93],
])('finds secrets (%s): %s', (set, _, least) => {
  const samples = [...PLACED, ...BLIND].filter((sample) => sample.set === set);
  const missed = samples.filter((sample) => !isRight(sample));
  expect(samples.length).toBeGreaterThan(trials(600));
  expect(1 - missed.length / samples.length, namesOf(missed)).toBeGreaterThanOrEqual(least);
});

it('finds every token that its issuer’s format identifies, wherever it stands', () => {
  const known = PLACED.filter(({ set, isKnown }) => set === 'own' && isKnown);
  expect(known.length).toBeGreaterThan(trials(1_000));
  const missed = known.filter((sample) => !isRight(sample));
  expect(missed.length / known.length, namesOf(missed)).toBeLessThanOrEqual(0.005);
});

it('leaves what only resembles secrets alone', () => {
  const texts = BLIND.filter(({ set }) => set === 'look-alikes');
  const taken = texts.filter((sample) => !isRight(sample));
  expect(texts.length).toBeGreaterThan(2_000);
  expect(taken.length / texts.length, namesOf(taken)).toBeLessThanOrEqual(0.003);
});

it('changes nothing when it is run on its own output', () => {
  for (const { text } of sampled(PLACED, ({ place }) => place)) {
    const once = redactSecrets(text).text;
    expect(redactSecrets(once).text).toBe(once);
  }
});

function namesOf(samples: Sample[]): string {
  return [...new Set(samples.map(({ kind, place }) => `${place} (${kind})`))].join('\n');
}
