import { expect, it } from 'vitest';
import { redactSecrets } from '../../src/privacy/secrets.ts';
import { ABROAD_LOOK_ALIKES } from './abroad-look-alikes.ts';
import { ABROAD, ABROAD_SECOND, ABROAD_THIRD } from './abroad-shapes.ts';
import { createDice, KINDS } from './secret-corpus.ts';
import { needlesOf } from './secret-shapes.ts';
import type { Table } from './shape-parts.ts';

const SEEDS = [1, 2, 3, 4, 5];

/** Every kind in every shape that is real for it, with whether nothing of it is left. */
function measured(table: Table): { shape: string; isFound: boolean }[] {
  return SEEDS.flatMap((seed) => {
    const dice = createDice(seed);
    return Object.entries(table).flatMap(([shape, [families, write]]) =>
      KINDS.filter(({ family }) => families.includes(family)).map(({ name, family, value: make }) => {
        const value = make(dice);
        const text = write({ name, value, dice });
        const clean = redactSecrets(text).text;
        return { shape, isFound: !needlesOf(value, family, text).some((needle) => clean.includes(needle)) };
      }),
    );
  });
}

it.each<[string, Table, number]>([
  ['the first set', ABROAD, 0.985],
  ['the second set', ABROAD_SECOND, 0.985],
  ['the third set', ABROAD_THIRD, 0.95],
])('finds passwords in other languages and programs: %s', (_, table, least) => {
  const all = measured(table);
  const missed = all.filter(({ isFound }) => !isFound).map(({ shape }) => shape);
  expect(all.length).toBeGreaterThan(500);
  expect(1 - missed.length / all.length, [...new Set(missed)].join('\n')).toBeGreaterThanOrEqual(least);
});

it.each(Object.entries(ABROAD_LOOK_ALIKES))('leaves alone: %s', (_, write) => {
  for (const text of SEEDS.flatMap((seed) => write(createDice(seed)))) expect(redactSecrets(text).text).toBe(text);
});

it.each(['tiger2024x', 'harbor7712lamp', 'Kaffee-7712', 'zq81kdmw!A'])(
  'finds what a person chose, %s, where another language announces it',
  (password) => {
    for (const text of [`密码：${password}`, `Пароль от базы: ${password}`, `a1 LOGIN joe ${password}`]) {
      expect(redactSecrets(text).text).not.toContain(password);
    }
  },
);
