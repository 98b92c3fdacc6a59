import { describe, expect, it } from 'vitest';
import { classOfStatus, isTruncated, ProviderError, retryAfterMs } from '../../../src/capture/extract/provider.ts';
import { GitMemError } from '../../../src/errors.ts';

it('ProviderError is an expected error with a class', () => {
  const error = new ProviderError('rate-limit', 'Too fast.', { hint: 'Wait.', retryAfterMs: 5 });
  expect(error).toBeInstanceOf(GitMemError);
  expect(error).toMatchObject({ code: 'provider', class: 'rate-limit', retryAfterMs: 5, hint: 'Wait.' });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-11-20T20:00:00Z');
  it.each([
    ['7', 7_000],
    ['0.5', 500],
    ['0', 0],
    ['Fri, 20 Nov 2026 20:01:00 GMT', 60_000],
    ['Fri, 20 Nov 2026 19:00:00 GMT', undefined],
    ['soon', undefined],
    ['-3', undefined],
    ['', undefined],
    [null, undefined],
  ])('parses %j as %s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});

it.each([
  [400, 'bad-request'],
  [401, 'auth'],
  [402, 'quota'],
  [403, 'auth'],
  [408, 'transient'],
  [413, 'bad-request'],
  [429, 'rate-limit'],
  [500, 'transient'],
  [503, 'overloaded'],
  [529, 'overloaded'],
])('classOfStatus maps %i to %s', (status, expected) => {
  expect(classOfStatus(status)).toBe(expected);
});

describe('isTruncated', () => {
  it.each(['max_tokens', 'MAX_TOKENS', 'length', 'model_context_window_exceeded'])('is true for %s', (reason) => {
    expect(isTruncated(reason)).toBe(true);
  });
  it.each(['end_turn', 'tool_use', 'STOP', ''])('is false for %j', (reason) => {
    expect(isTruncated(reason)).toBe(false);
  });
});
