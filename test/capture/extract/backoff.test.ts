import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clearBackoff, isBackingOff, noteFailure, readBackoff } from '../../../src/capture/extract/budget.ts';
import { ProviderError } from '../../../src/capture/extract/provider.ts';
import { scratchFolder } from '../../support/scratch.ts';

const it = test.extend('state', () => scratchFolder());

const NOW = new Date('2026-11-20T20:00:00.000Z');
const ID = 'k3v9x2qd7m';
const isBusyAt = (state: string, minutes: number, id = ID) =>
  isBackingOff(state, id, new Date(NOW.getTime() + minutes * 60_000));
const minutesOf = (state: string, id = ID) =>
  (Date.parse(readBackoff(state, id)?.until ?? '') - NOW.getTime()) / 60_000;

describe('a provider that fails', () => {
  it.each([
    ['transient', [1, 2, 4, 8, 16, 32, 60, 60, 60]],
    ['overloaded', [1, 2, 4, 8, 16, 32, 60, 60, 60]],
    ['rate-limit', [1, 2, 4, 8, 16, 32, 60, 60, 60]],
    ['quota', [15, 30, 60, 60]],
    ['auth', [15, 30, 60, 120, 240, 360, 360]],
  ] as const)('by %s is avoided for longer and longer', (errorClass, expected) => {
    const state = scratchFolder();
    const waits = expected.map(() => {
      noteFailure(state, ID, new ProviderError(errorClass, 'No.'), NOW);
      return minutesOf(state);
    });
    expect(waits).toEqual(expected);
    expect(readBackoff(state, ID)).toMatchObject({ attempts: expected.length, reason: 'No.' });
  });

  it('is avoided for as long as it asks, within a day', ({ state }) => {
    const asking = (retryAfterMs: number) => {
      clearBackoff(state, ID);
      noteFailure(state, ID, new ProviderError('rate-limit', 'Slow down.', { retryAfterMs }), NOW);
      return minutesOf(state);
    };
    expect(asking(600_000)).toBe(10);
    expect(asking(1)).toBe(1);
    for (const odd of [1e300, Number.POSITIVE_INFINITY]) expect(asking(odd)).toBe(24 * 60);
    for (const odd of [-5, Number.NaN]) expect(asking(odd)).toBe(1);
    clearBackoff(state, ID);
    noteFailure(state, ID, 'not even an error', NOW);
    expect(minutesOf(state)).toBe(1);
  });

  it('is asked again after that, or once it has answered, whatever the others do', ({ state }) => {
    expect(isBusyAt(state, 0)).toBe(false);
    noteFailure(state, ID, new Error('down'), NOW);
    noteFailure(state, 'another', new ProviderError('auth', 'No.'), NOW);
    expect([isBusyAt(state, 0.5), isBusyAt(state, 1.01), isBusyAt(state, 1.01, 'another')]).toEqual([
      true,
      false,
      true,
    ]);
    clearBackoff(state, ID);
    clearBackoff(state, ID);
    expect([isBusyAt(state, 0.5), isBusyAt(state, 0.5, 'another')]).toEqual([false, true]);
  });

  it('is forgiven some time after its settings changed', ({ state }) => {
    noteFailure(state, ID, new Error('down'), NOW);
    noteFailure(state, 'new settings', new Error('down'), new Date(NOW.getTime() + 8 * 86_400_000));
    expect(readBackoff(state, ID)).toBeUndefined();
    expect(readFileSync(join(state, 'backoff.json'), 'utf8')).not.toContain(ID);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"attempts":1,"until":"2099-01-01T00:00:00.000Z","reason":"x"}',
    `{"${ID}":{"attempts":"1","until":"2099","reason":"x"}}`,
    `{"${ID}":{"attempts":1,"until":"for ever","reason":"x"}}`,
  ])('is not avoided because of a damaged file: %j', (text) => {
    const state = scratchFolder();
    writeFileSync(join(state, 'backoff.json'), text);
    expect(readBackoff(state, ID)).toBeUndefined();
    expect(isBusyAt(state, 0)).toBe(false);
    noteFailure(state, ID, new Error('down'), NOW);
    expect(readBackoff(state, ID)?.attempts).toBe(1);
  });
});
