import { describe, expect, it } from 'vitest';
import { isTruncated, retryAfterMs } from '../../../src/capture/extract/provider.ts';

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

describe('isTruncated', () => {
  it.each(['max_tokens', 'MAX_TOKENS', 'length', 'model_context_window_exceeded'])('is true for %s', (reason) => {
    expect(isTruncated(reason)).toBe(true);
  });
  it.each(['end_turn', 'tool_use', 'STOP', ''])('is false for %j', (reason) => {
    expect(isTruncated(reason)).toBe(false);
  });
});
