import { expect, it } from 'vitest';
import { FURTHER_KINDS } from './further-kinds.ts';
import { FURTHER_LOOK_ALIKES } from './further-look-alikes.ts';
import { redactSecrets } from './redact-secrets.ts';

it.each(Object.entries(FURTHER_KINDS))('finds %s', (_, texts) => {
  for (const marked of texts) {
    const { text } = redactSecrets(marked.replaceAll(/[⟦⟧]/gu, ''));
    for (const [, secret = ''] of marked.matchAll(/⟦([^⟧]*)⟧/gu)) expect.soft(text, marked).not.toContain(secret);
  }
});

it.each(Object.entries(FURTHER_LOOK_ALIKES))('leaves alone: %s', (_, texts) => {
  for (const text of texts) expect.soft(redactSecrets(text).text).toBe(text);
});
