import { expect, it } from 'vitest';
import { trials } from '../support/trials.ts';
import { FAR_ISSUERS } from './far-issuers.ts';
import { FAR_LANGUAGES } from './far-languages.ts';
import { FAR_LOOK_ALIKES } from './far-look-alikes.ts';
import { FAR_PROGRAMS } from './far-programs.ts';
import { FAR_LANGUAGES_SECOND, FAR_PROGRAMS_SECOND } from './far-second.ts';
import { redactSecrets } from './redact-secrets.ts';
import { createDice } from './secret-corpus.ts';
import { measuredTable } from './secret-measure.ts';
import type { Table } from './shape-parts.ts';

const SEEDS = [11, 12, 13];
const SURROUNDINGS = [
  (token: string) => `It failed with ${token} on the second try.\n`,
  (token: string) => `$ run --verbose "${token}"\n`,
];

// Without the rules that were written for them 0.84, 0.61 and 0.05 of the three sets were found.
it.each<[string, Table, number]>([
  ['programs', FAR_PROGRAMS, 0.99],
  ['languages', FAR_LANGUAGES, 0.97],
  ['programs of the second set', FAR_PROGRAMS_SECOND, 0.985],
  ['languages of the second set', FAR_LANGUAGES_SECOND, 0.97],
])('finds secrets as %s write them, in shapes that no other set has', (_, table, least) => {
  const all = measuredTable(table, SEEDS);
  const missed = all.filter(({ isFound }) => !isFound).map(({ shape }) => shape);
  expect(all.length).toBeGreaterThan(trials(1000));
  expect(1 - missed.length / all.length, [...new Set(missed)].join('\n')).toBeGreaterThanOrEqual(least);
});

it('finds tokens of another 40 issuers by their shape', () => {
  const missed = Object.entries(FAR_ISSUERS).flatMap(([issuer, make]) =>
    SEEDS.flatMap((seed) => {
      const token = make(createDice(seed));
      return SURROUNDINGS.filter((write) => redactSecrets(write(token)).text.includes(token)).map(() => issuer);
    }),
  );
  expect([...new Set(missed)]).toEqual([]);
});

it.each(Object.entries(FAR_LOOK_ALIKES))('leaves alone: %s', (_, write) => {
  for (const text of SEEDS.flatMap((seed) => write(createDice(seed)))) expect(redactSecrets(text).text).toBe(text);
});
