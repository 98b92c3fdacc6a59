import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clearBackoff, isBackingOff, noteFailure, readBackoff } from '../../src/worker/backoff.ts';
import { scratchFolder } from '../support/scratch.ts';

const NOW = new Date('2026-11-20T20:00:00.000Z');
const isBusyAt = (state: string, minutes: number, now = false) =>
  isBackingOff(state, { now, clock: () => new Date(NOW.getTime() + minutes * 60_000) });

describe('a provider that fails', () => {
  it('is left alone for 1, 2, 4 ... minutes, at most an hour', () => {
    const state = scratchFolder();
    const waits = Array.from({ length: 9 }, () => {
      noteFailure(state, new Error('overloaded'), NOW);
      return (Date.parse(readBackoff(state)?.until ?? '') - NOW.getTime()) / 60_000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(readBackoff(state)).toMatchObject({ attempts: 9, reason: 'overloaded' });
  });

  it('is left alone for as long as it asks, within a day', () => {
    const state = scratchFolder();
    const asking = (retryAfterMs: unknown) => Object.assign(new Error('rate limited'), { retryAfterMs });
    const untilOf = (error: unknown) => {
      clearBackoff(state);
      noteFailure(state, error, NOW);
      return readBackoff(state)?.until;
    };
    expect(untilOf(asking(600_000))).toBe('2026-11-20T20:10:00.000Z');
    expect(untilOf(asking(1))).toBe('2026-11-20T20:01:00.000Z');
    for (const odd of [1e300, Number.POSITIVE_INFINITY]) expect(untilOf(asking(odd))).toBe('2026-11-21T20:00:00.000Z');
    for (const odd of [-5, Number.NaN, 'soon', undefined])
      expect(untilOf(asking(odd))).toBe('2026-11-20T20:01:00.000Z');
    expect(untilOf('not even an error')).toBe('2026-11-20T20:01:00.000Z');
  });

  it('is asked again after that, or at once when a person wants it, or once it answered', () => {
    const state = scratchFolder();
    expect(isBusyAt(state, 0)).toBe(false);
    noteFailure(state, new Error('down'), NOW);
    expect([isBusyAt(state, 0.5), isBusyAt(state, 0.5, true), isBusyAt(state, 1.01)]).toEqual([true, false, false]);
    clearBackoff(state);
    clearBackoff(state);
    expect(isBusyAt(state, 0.5)).toBe(false);
  });

  it.each(['', '{', 'null', '[]', '{"attempts":"1","until":"2099","reason":"x"}'])(
    'is not left alone by a damaged file: %j',
    (text) => {
      const state = scratchFolder();
      writeFileSync(join(state, 'backoff.json'), text);
      expect(readBackoff(state)).toBeUndefined();
      expect(isBusyAt(state, 0)).toBe(false);
      noteFailure(state, new Error('down'), NOW);
      expect(readBackoff(state)?.attempts).toBe(1);
    },
  );
});
