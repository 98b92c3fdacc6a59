import { replaced } from '../../src/privacy/findings.ts';
import { createRedactor } from '../../src/privacy/secrets.ts';

/** Replaces the value of every secret in the text by `[redacted:<kind>]`, and tells the kinds. */
export function redactSecrets(text: string): { text: string; found: { kind: string }[] } {
  const found = createRedactor().find(text);
  return { text: replaced(text, found), found: found.map(({ kind }) => ({ kind })) };
}
