import { replaced, united } from './findings.ts';
import type { Redactor } from './secrets.ts';

type FindMore = typeof import('./secretlint.ts')['findWithSecretlint'];

let secretlint: Promise<FindMore> | undefined;
const DEEPEST = 200;

/**
 * The text without secrets: our own rules first, then secretlint's on what is left. What secretlint finds is remembered
 * by the redactor. The first call loads secretlint.
 */
export async function redactAll(text: string, redactor: Redactor): Promise<string> {
  const own = redactor.redact(text);
  if (own.length < 12) return own;
  secretlint ??= import('./secretlint.ts').then((door) => door.findWithSecretlint);
  const find = await secretlint;
  const found = (await find(own)).filter(({ start, end }) => !own.slice(start, end).includes('[redacted:'));
  for (const { start, end, kind } of found) redactor.remember(own.slice(start, end), kind);
  return replaced(own, united(found));
}

/** Cleans one string; `name` is the key that it is the value of, as far as there is one. */
export type Clean = (text: string, name?: string) => string;

/**
 * A JSON value with every string in it cleaned, keys too. The name handed to `clean` is the key, the `name` of a
 * name-value pair, or the flag before an argument. What is nested deeper than 200 levels is left out.
 */
export function cleanDeep(value: unknown, clean: Clean): unknown {
  return cleaned(value, clean, undefined, 0);
}

function cleaned(value: unknown, clean: Clean, name: string | undefined, depth: number): unknown {
  if (typeof value === 'string') return clean(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '[nested too deeply]';
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => cleaned(item, clean, flagBefore(value, index) ?? name, depth + 1));
  }
  // fromEntries makes even a key like __proto__ an own property.
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [clean(key), cleaned(entry, clean, nameOf(value, key), depth + 1)]),
  );
}

function flagBefore(items: unknown[], index: number): string | undefined {
  const before = items[index - 1];
  return typeof before === 'string' && /^--?[A-Za-z][\w-]*$/u.test(before) ? before : undefined;
}

/** In `{"name": "DB_PASSWORD", "value": "..."}` the name of the value stands beside it. */
function nameOf(object: object, key: string): string {
  if (!/^value$/iu.test(key)) return key;
  const beside = Object.entries(object).find(([other]) => /^(?:name|key|variable)$/iu.test(other))?.[1];
  return typeof beside === 'string' ? beside : key;
}
