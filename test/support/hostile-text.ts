import fc from 'fast-check';
import { anyText } from './any-record.ts';

/** Paths that lead out of the repository, or are invalid. */
const PATHS = [
  ...['../../etc/passwd', '/etc/passwd', '..', '.', '/', '~/.ssh/id_rsa', 'C:\\Windows\\win.ini', '\\\\host\\share\\x'],
  ...[
    'a/../../b',
    'a\0b',
    '-rf',
    '--upload-pack=x',
    ':(top)x',
    'a\nb',
    '/dev/zero',
    '/proc/self/mem',
    'file:///etc/passwd',
  ],
  ...['\u00e9', 'e\u0301', '\u202egpj.exe', 'CON', 'a'.repeat(5000), `${'a/'.repeat(3000)}b`, '%2e%2e%2f', '%', '%ff'],
];

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'toJSON',
  '',
  '0',
];

const UNITS = [
  '[',
  '{',
  '(',
  '"',
  "'",
  '`',
  '*',
  '_',
  '> ',
  '- ',
  '# ',
  '<',
  '![',
  '](',
  '&',
  '~~~\n',
  '\n',
  ' ',
  '\t',
  '\\',
];
const MORE_UNITS = [
  '[]',
  '{}',
  'a',
  'a,',
  '{"a":',
  '[[',
  'A=',
  './',
  '=',
  '0',
  '-',
  '.',
  ':',
  '/',
  '\ud800',
  '\u0000',
  '**',
  '|',
  '&a ',
  '*a ',
];

/** One thing again and again: what nests, and what patterns stumble over. */
const repeated = fc
  .tuple(fc.constantFrom(...UNITS, ...MORE_UNITS), fc.integer({ min: 1, max: 3000 }), anyText)
  .map(([unit, times, after]) => unit.repeat(times) + after);

/** Any text, with a liking for trouble. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: anyText },
  { weight: 2, arbitrary: fc.constantFrom(...PATHS, ...KEYS) },
  { weight: 1, arbitrary: repeated },
);

/** Any JSON value, of keys like these, and of those that objects have by themselves. */
export function hostileJson(keys: string[]): fc.Arbitrary<unknown> {
  const key = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...keys) },
    { weight: 1, arbitrary: fc.constantFrom(...KEYS) },
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      hostileText,
      fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, -0, 1e308),
      fc.array(tie('value'), { maxLength: 4 }),
      // Not by assignment, which would drop `__proto__`.
      fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map(objectOf),
    ),
  }));
  return value;
}

/** A JSON object of such keys. */
export function hostileObject(keys: string[]): fc.Arbitrary<Record<string, unknown>> {
  const entry = fc.tuple(fc.constantFrom(...keys, ...KEYS), hostileJson(keys));
  return fc.array(entry, { maxLength: 12 }).map(objectOf);
}

function objectOf(entries: [string, unknown][]): Record<string, unknown> {
  const json = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',');
  return JSON.parse(`{${json}}`);
}

/** Something right with something wrong in it: parts taken out, doubled, replaced by trouble. */
export function mutated(whole: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 40 }), hostileText);
  return fc.tuple(whole, fc.array(change, { maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((now, [where, length, put]) => {
      const at = Math.floor(where * now.length);
      return now.slice(0, at) + put + now.slice(at + length);
    }, text),
  );
}

/** Every key that some JSON has, at any depth. */
export function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...new Set([...own, ...Object.values(value).flatMap(keysOf)])];
}
