import { type Finding, united } from '../privacy/findings.ts';
import { isSecret } from '../privacy/redact.ts';
import { createRedactor } from '../privacy/secrets.ts';
import { lineAt } from '../privacy/suspicious.ts';

/** Finds secrets, and removes the ones found from everything shown afterwards. */
export interface SecretScanner {
  /** The kind and the line, from 1, of each secret; never its value. */
  scan(text: string): Promise<{ kind: string; line: number }[]>;
  /** The text as it may be printed. */
  cover(text: string): string;
}

/** A scanner for files that are checked together. Its first scan loads secretlint. */
export function createSecretScanner(): SecretScanner {
  const redactor = createRedactor();
  return {
    async scan(text) {
      const { findWithSecretlint } = await import('../privacy/secretlint.ts');
      const more = (await findWithSecretlint(text)).filter((one) => isSecret(one, text));
      for (const { start, end, kind } of more) redactor.remember(text.slice(start, end), kind);
      const found: Finding[] = united([...redactor.find(text), ...more]);
      return found.map(({ start, kind }) => ({ kind, line: lineAt(text, start) }));
    },
    cover: (text) => redactor.redact(text),
  };
}
