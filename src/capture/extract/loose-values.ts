import * as z from 'zod/mini';
import { isObject } from '../../json.ts';
import { ProviderError } from './provider.ts';

/** The text that a model meant: all lines of a list, the first text of an object (a fact as `{ "fact": "..." }`). */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(toText).filter(Boolean).join('\n');
  const first = isObject(value) ? Object.values(value)[0] : undefined;
  return typeof first === 'string' ? first : '';
}

/** A reader of the list that a model meant; a string is split at `separator`, bullets and numbers are removed. */
export function toList(separator: RegExp) {
  return (value: unknown): string[] => {
    const items = Array.isArray(value) ? value.map(toText) : toText(value).split(separator);
    return items.map(withoutBullet).filter((item) => item !== '');
  };
}

/** The text of a list's item. */
export function withoutBullet(item: string): string {
  return item.replace(/^\s*([-*•]|\d+[.)])\s+/, '').trim();
}

export const looseText = z.pipe(z.transform(toText), z.string());
export const looseLines = z.pipe(z.transform(toList(/\n/)), z.array(z.string()));
export const looseWords = z.pipe(z.transform(toList(/[\n,]/)), z.array(z.string()));

/** A provider's text; empty where it has another type or none. */
export const given = z.catch(z.string(), '');

/** The numbers that a provider reports under these keys; 0 for each that is missing. */
export function looseCounts<Key extends string>(...keys: Key[]) {
  const counts = z.looseRecord(z.enum(keys), z.catch(z.number(), 0));
  return z.catch(counts, () => counts.parse({}));
}

/** An answer that not even these readers understand. */
export function unusable(problem: string): ProviderError {
  return new ProviderError('invalid-output', `The model's answer cannot be used: ${problem}.`);
}
