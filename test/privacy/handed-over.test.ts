import { expect, it } from 'vitest';
import { HANDED_OVER, NOT_HANDED_OVER } from './handed-over.ts';
import { redactSecrets } from './redact-secrets.ts';

it('finds what people hand over and programs print', () => {
  expect(HANDED_OVER.length).toBeGreaterThan(100);
  const kept = HANDED_OVER.filter(([text, ...secrets]) => {
    const { text: clean } = redactSecrets(text);
    return secrets.some((secret) => clean.includes(secret));
  });
  expect(kept.map(([text]) => text)).toEqual([]);
});

it.each(NOT_HANDED_OVER)('leaves alone: %s', (text) => {
  expect(redactSecrets(text).text).toBe(text);
});
