import { sampled } from '../support/sampled.ts';
import { lookAlikes } from './look-alikes.ts';
import { type LookAlike, printedLookAlikes } from './printed-look-alikes.ts';
import { type PrintedSample, printedSamples } from './printed-shapes.ts';
import { redactSecrets } from './redact-secrets.ts';
import { createDice, KINDS, type Sample } from './secret-corpus.ts';
import { needlesOf, secretSamples } from './secret-shapes.ts';
import type { Table } from './shape-parts.ts';

/** A secret in its surroundings, by the part of the corpus that it belongs to. */
export type Part = 'first' | PrintedSample['half'];

export interface Measured extends Sample {
  part: Part;
  isFound: boolean;
}

/**
 * The secrets of both sets with whether anything of them is left; `share` takes that part of the second set, and
 * `chosen` some of all.
 */
export function measuredSecrets(
  seed: number,
  share = 1,
  chosen = (samples: Omit<Measured, 'isFound'>[]) => samples,
): Measured[] {
  const first = secretSamples(createDice(seed), 1).map((sample) => ({ ...sample, part: 'first' as const }));
  const second = printedSamples(createDice(seed + 1), share).map((sample) => ({ ...sample, part: sample.half }));
  return chosen([...first, ...second].filter(({ needles }) => needles.length > 0)).map((sample) => {
    const { text } = redactSecrets(sample.text);
    return { ...sample, isFound: !sample.needles.some((needle) => text.includes(needle)) };
  });
}

/** Every look-alike of both sets with what was made of it. */
export function measuredLookAlikes(seed: number, rounds = 8): (LookAlike & { redacted: string; isSpared: boolean })[] {
  const first = lookAlikes(createDice(seed), rounds).map((text) => ({ kind: 'first set', text }));
  return [...first, ...printedLookAlikes(createDice(seed + 1), rounds)].map((one) => {
    const { text: redacted } = redactSecrets(one.text);
    return { ...one, redacted, isSpared: redacted === one.text };
  });
}

/** The part of the samples that is found. */
export function recallOf(samples: Measured[]): number {
  return samples.filter(({ isFound }) => isFound).length / Math.max(1, samples.length);
}

/**
 * Every kind in every shape of the table that is real for it, with whether nothing of it is left; by default each shape
 * once, and one of five others.
 */
export function measuredTable(table: Table, seeds: readonly number[]): { shape: string; isFound: boolean }[] {
  const samples = seeds.flatMap((seed) => {
    const dice = createDice(seed);
    return Object.entries(table).flatMap(([shape, [families, write]]) =>
      KINDS.filter(({ family }) => families.includes(family)).map(({ name, family, value: make }) => {
        const value = make(dice);
        return { shape, value, family, text: write({ name, value, dice }) };
      }),
    );
  });
  return sampled(samples, ({ shape }) => shape).map(({ shape, value, family, text }) => {
    const clean = redactSecrets(text).text;
    return { shape, isFound: !needlesOf(value, family, text).some((needle) => clean.includes(needle)) };
  });
}
