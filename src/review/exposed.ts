import { type Finding, united } from '../privacy/findings.ts';
import { createRedactor } from '../privacy/secrets.ts';
import { lineAt } from '../privacy/suspicious.ts';

/** A secret in a file, by its kind and place; the value itself is never passed on. */
export interface Exposure {
  kind: string;
  /** From 1. */
  line: number;
}

/** Finds secrets, and removes the ones found from everything shown afterwards. */
export interface SecretScanner {
  scan(text: string): Promise<Exposure[]>;
  /** The text as it may be printed. */
  cover(text: string): string;
}

/** A scanner for files that are checked together. The first scan loads secretlint. */
export function createSecretScanner(): SecretScanner {
  const redactor = createRedactor();
  return {
    async scan(text) {
      const { findWithSecretlint } = await import('../privacy/secretlint.ts');
      const more = (await findWithSecretlint(text)).filter(isValue);
      for (const { start, end, kind } of more) redactor.remember(text.slice(start, end), kind);
      const found: Finding[] = united([...redactor.find(text), ...more]);
      return found.map(({ start, kind }) => ({ kind, line: lineAt(text, start) }));

      // Text that was already redacted is no secret, though its context looks like one.
      function isValue({ start, end }: Finding): boolean {
        return !text.slice(start, end).includes('[redacted:');
      }
    },
    cover: (text) => redactor.redact(text),
  };
}
