import { type Finding, replaced, united } from './findings.ts';
import { isGenuine } from './known-tokens.ts';
import type { Redactor } from './secrets.ts';

type FindMore = typeof import('./secretlint.ts')['findWithSecretlint'];

let secretlint: Promise<FindMore> | undefined;

/**
 * The text without secrets: our own rules first, then secretlint's on the rest. The redactor remembers what secretlint
 * finds. The first call loads secretlint.
 */
export async function redactAll(text: string, redactor: Redactor): Promise<string> {
  const own = redactor.redact(text);
  if (own.length < 12) return own;
  secretlint ??= import('./secretlint.ts').then((door) => door.findWithSecretlint);
  const find = await secretlint;
  const found = (await find(own)).filter((one) => isSecret(one, own));
  for (const { start, end, kind } of found) redactor.remember(own.slice(start, end), kind);
  return replaced(own, united(found));
}

/** Whether a finding of secretlint in a text is a secret: its rules also match masks, examples and redacted text. */
export function isSecret({ start, end, kind }: Finding, text: string): boolean {
  const value = text.slice(start, end);
  return !value.includes('[redacted:') && (/\s/u.test(value) || isGenuine(value, kind.startsWith('slack')));
}
