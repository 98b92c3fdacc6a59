import { describe, expect, it } from 'vitest';
import { SLOTS } from '../../src/privacy/slots.ts';
import { compile, findInTemplates, TEMPLATES } from '../../src/privacy/templates.ts';
import { findBlowup } from '../support/regular-expressions.ts';
import { redactSecrets } from './redact-secrets.ts';
import { ALNUM, BASE64, createDice, DIGITS, type Dice, HEX, LOWER } from './secret-corpus.ts';

const pairs = (dice: Dice, groups: number, length: number, mark: string) =>
  Array.from({ length: groups }, () => dice.chars(HEX, length)).join(mark);

/** A value for each slot, in the form in which programs write it. */
const VALUES: Record<keyof typeof SLOTS, (dice: Dice) => string> = {
  password: (dice) => `${dice.pick(['Harbor', 'Pepper', 'Kaffee'])}-20${dice.chars(DIGITS, 2)}#${dice.chars(LOWER, 2)}`,
  any: (dice) => `${dice.pick(['harbor', 'pepper', 'kaffee'])}${dice.chars('2345', 3)}`,
  strong: (dice) => `${dice.pick(['Harbor', 'Pepper', 'Kaffee'])}-20${dice.chars(DIGITS, 2)}#${dice.chars(LOWER, 2)}`,
  sure: (dice) => `${dice.chars(ALNUM, 6)}k#${dice.chars(DIGITS, 2)}R!${dice.chars(LOWER, 2)}`,
  phrase: (dice) => `${dice.pick(['tin', 'old', 'red'])} whistle ${dice.pick(['cup', 'fog'])} ${dice.chars('2345', 2)}`,
  long: (dice) => `7${dice.chars(DIGITS, 18)}`,
  pin: (dice) => `8${dice.chars('13579', 5)}`,
  key: (dice) => dice.chars(HEX, 32),
  octets: (dice) => pairs(dice, 16, 2, ' '),
  groups: (dice) => pairs(dice, 6, 6, ' '),
  modhex: (dice) => Array.from({ length: 8 }, () => dice.chars('cbdefghijklnrtuv', 8)).join('-'),
  dashed: (dice) => pairs(dice, 4, 8, '-'),
  spaced: (dice) => Array.from({ length: 12 }, () => dice.chars(ALNUM, 4)).join(' '),
  quads: (dice) => Array.from({ length: 5 }, () => dice.chars(DIGITS, 4)).join(' '),
  six: (dice) => Array.from({ length: 6 }, () => dice.chars(ALNUM, 4)).join(' '),
  pan: (dice) => `4${dice.chars(DIGITS, 15)}`,
  apart: (dice) => Array.from({ length: 4 }, () => dice.chars(LOWER, 4)).join(' '),
  word: (dice) => `k${dice.chars(ALNUM, 2)}7`,
  block: (dice) => [dice.chars(BASE64, 64), dice.chars(BASE64, 40)].join('\n'),
};

const SLOT = new RegExp(`\\{(${Object.keys(SLOTS).join('|')})\\}`, 'g');

/** What a program writes where the template stands, with secrets or with what stands for them. */
function written(line: string, fill: (slot: keyof typeof SLOTS) => string): string {
  return line
    .replace(/^\^|\$$/g, '')
    .replace(SLOT, (_, slot: keyof typeof SLOTS) => `\0${fill(slot)}\0`)
    .replaceAll('\\*', '\x01')
    .replace(/\*(?=[^\0]*(?:\0[^\0]*\0[^\0]*)*$)/g, 'your-joe')
    .replaceAll('\x01', '*')
    .replaceAll('…', '')
    .replaceAll('\0', '');
}

describe.each(TEMPLATES.map(({ source, line }) => [source, line] as const))('%s: %s', (_, line) => {
  it('is found, and none of it is left', () => {
    for (const seed of [1, 2, 3]) {
      const dice = createDice(seed);
      const secrets: string[] = [];
      const text = written(line, (slot) => {
        secrets.push(VALUES[slot](dice));
        return secrets.at(-1) ?? '';
      });
      const around = `It failed.\n\n${text}\n\nThen it worked.\n`;
      const found = findInTemplates(around).map(({ start, end }) => around.slice(start, end));
      for (const secret of secrets) {
        expect(found, text).toContain(secret);
        expect(redactSecrets(around).text).not.toContain(secret);
      }
    }
  });

  it('leaves a placeholder alone', () => {
    const around = `It failed.\n\n${written(line, () => '$' + '{SECRET}')}\n\nThen it worked.\n`;
    expect(findInTemplates(around)).toEqual([]);
  });
});

it('takes linear time', () => {
  for (const { line } of TEMPLATES) expect(findBlowup(compile(line).pattern), line).toBeUndefined();
});
