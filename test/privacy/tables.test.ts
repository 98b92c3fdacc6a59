import { describe, expect, it } from 'vitest';
import { KNOWN_TOKENS } from '../../src/privacy/known-tokens.ts';
import { PLACES } from '../../src/privacy/places.ts';
import { findBlowup } from '../support/regular-expressions.ts';
import { trials } from '../support/trials.ts';
import { redactSecrets } from './redact-secrets.ts';
import { ALNUM, BASE64, createDice, DIGITS, type Dice, HEX, LOWER, UPPER, URLSAFE, uuid } from './secret-corpus.ts';

const SEEDS = [1, 2, 3, 4, 5].slice(0, trials(5));

/** The alphabets of examples: `<x32>` is 32 of `x`. */
const ALPHABETS: Record<string, string> = {
  a: ALNUM,
  u: URLSAFE,
  b: BASE64,
  B: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  x: HEX,
  X: HEX.toUpperCase(),
  d: DIGITS,
  n: '123456789',
  l: LOWER + DIGITS,
  U: `${UPPER}234567`,
};

/** An example with invented characters, and the parts that must not be left of it. */
function tokenOf(example: string, dice: Dice): { text: string; secrets: string[] } {
  const secrets: string[] = [];
  const text = example.replace(/<(\w)(\d*)>/g, (_, alphabet: string, length: string) => {
    const part = alphabet === 'g' ? uuid(dice) : dice.chars(ALPHABETS[alphabet] ?? '', Number(length));
    if (part.length >= 14) secrets.push(part);
    return part;
  });
  return { text, secrets };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** An example with an invented password or token in it. */
function placeOf(example: string, dice: Dice): { text: string; secrets: string[] } {
  const password = `${dice.pick(['Harbor', 'Pepper', 'Kaffee'])}-20${dice.chars(DIGITS, 2)}!${dice.chars(LOWER, 2)}`;
  const values = {
    password,
    token: `${dice.chars(LOWER, 2)}7${dice.chars(ALNUM, 33)}Q4`,
    basic: base64(`deploy:${password}`),
    base64: base64(password),
    hex: dice.chars(HEX, 32),
  };
  const secrets: string[] = [];
  const text = example.replace(/\{(password|token|basic|base64|hex)\}/g, (_, name: keyof typeof values) => {
    secrets.push(values[name]);
    return values[name];
  });
  return { text, secrets };
}

const surrounded = (text: string) => `It failed.\n\n${text}\n\nThen it worked.\n`;

describe.each(KNOWN_TOKENS.map((row) => [row.kind, row.example, row] as const))('%s: %s', (_, example, row) => {
  it('is found by its own expression alone, and none of it is left', () => {
    for (const seed of SEEDS) {
      const { text, secrets } = tokenOf(example, createDice(seed));
      expect(secrets.length).toBeGreaterThan(0);
      expect(text.match(new RegExp(row.pattern, 'g'))?.[0]).toBe(text);
      expect(row.hints.some((hint) => (row.starts ? text.startsWith(hint) : text.includes(hint)))).toBe(true);
      const { text: clean } = redactSecrets(`It is ${text} again.`);
      for (const secret of secrets) expect(clean).not.toContain(secret);
    }
  });

  it('names its source, and takes linear time', () => {
    expect(row.source).toMatch(/\w/);
    for (const pattern of [row.pattern, row.unbroken]) expect(findBlowup(pattern)).toBeUndefined();
  });
});

describe.each(PLACES.map((row) => [row.source, row.example, row] as const))('%s: %s', (_, example, row) => {
  it('is found by its own expression alone, and none of it is left', () => {
    for (const seed of SEEDS) {
      const { text, secrets } = placeOf(example, createDice(seed));
      expect(secrets).toHaveLength(1);
      const inside = [...surrounded(text).matchAll(row.pattern)].map((match) => match[1] ?? '');
      expect(
        inside.some((value) => value.includes(secrets[0] ?? '')),
        text,
      ).toBe(true);
      expect(row.hints.some((hint) => surrounded(text).toLowerCase().includes(hint))).toBe(true);
      expect(redactSecrets(surrounded(text)).text).not.toContain(secrets[0]);
    }
  });

  it('leaves a placeholder alone', () => {
    const text = surrounded(example.replace(/\{\w+\}/g, '$' + '{SECRET}'));
    expect(redactSecrets(text).text).toBe(text);
  });

  it('names its source, and takes linear time', () => {
    expect(row.source).toMatch(/\w/);
    expect(findBlowup(row.pattern)).toBeUndefined();
  });
});
