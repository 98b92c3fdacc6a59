import { replaced, united } from './findings.ts';
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
  const found = (await find(own)).filter(({ start, end, kind }) => {
    const value = own.slice(start, end);
    // Its rules take masks and examples too.
    return !value.includes('[redacted:') && (/\s/u.test(value) || isGenuine(value, kind.startsWith('slack')));
  });
  for (const { start, end, kind } of found) redactor.remember(own.slice(start, end), kind);
  return replaced(own, united(found));
}
