import { expect, it } from 'vitest';
import { trials } from '../support/trials.ts';
import { ABROAD_LOOK_ALIKES } from './abroad-look-alikes.ts';
import { ABROAD, ABROAD_SECOND, ABROAD_THIRD } from './abroad-shapes.ts';
import { redactSecrets } from './redact-secrets.ts';
import { createDice } from './secret-corpus.ts';
import { measuredTable } from './secret-measure.ts';
import type { Table } from './shape-parts.ts';

const SEEDS = [1, 2, 3, 4, 5];

it.each<[string, Table, number]>([
  ['the first set', ABROAD, 0.985],
  ['the second set', ABROAD_SECOND, 0.985],
  ['the third set', ABROAD_THIRD, 0.95],
])('finds passwords in other languages and programs: %s', (_, table, least) => {
  const all = measuredTable(table, SEEDS);
  const missed = all.filter(({ isFound }) => !isFound).map(({ shape }) => shape);
  expect(all.length).toBeGreaterThan(trials(500));
  expect(1 - missed.length / all.length, [...new Set(missed)].join('\n')).toBeGreaterThanOrEqual(least);
});

it.each(Object.entries(ABROAD_LOOK_ALIKES))('leaves alone: %s', (_, write) => {
  for (const text of SEEDS.flatMap((seed) => write(createDice(seed)))) expect(redactSecrets(text).text).toBe(text);
});

it.each(['tiger2024x', 'harbor7712lamp', 'Kaffee-7712', 'zq81kdmw!A'])(
  'finds a secret that a person chose, %s, announced in another language',
  (password) => {
    for (const text of [`密码：${password}`, `Пароль от базы: ${password}`, `a1 LOGIN joe ${password}`]) {
      expect(redactSecrets(text).text).not.toContain(password);
    }
  },
);
