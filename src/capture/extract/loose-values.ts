import * as z from 'zod/mini';
import { isObject, jsonIn } from '../../json.ts';
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

/** A JSON value found in a model's text. */
interface FoundJson {
  value: unknown;
  /** True if the text ended before the value did; `value` then holds the complete objects. */
  truncated: boolean;
}

/** Most brackets that are tried: each may be read to the end of the text, so all of them would take quadratic time. */
const MAX_STARTS = 50;

/**
 * The JSON values in a text, complete ones first, in order. Prose and fences around them are allowed, and so are raw
 * line breaks in strings and trailing commas. Values inside a found value are not listed again.
 */
export function findJson(text: string): FoundJson[] {
  const whole: FoundJson[] = [];
  const cut: FoundJson[] = [];
  for (let at = nextStart(text, 0), starts = 0; at >= 0 && starts < MAX_STARTS; starts += 1) {
    const scan = scanValue(text, at);
    const value = jsonIn(scan.json);
    if (value !== undefined) (scan.truncated ? cut : whole).push({ value, truncated: scan.truncated });
    // A brace in prose ("{name}") fails to parse: what it seemed to enclose may still hold the value.
    at = nextStart(text, value !== undefined ? scan.end : at + 1);
  }
  return [...whole, ...cut];
}

interface Scan {
  /** Valid JSON if the text was nearly so. */
  json: string;
  end: number;
  truncated: boolean;
}

function nextStart(text: string, from: number): number {
  const offset = text.slice(from).search(/[[{]/);
  return offset < 0 ? -1 : from + offset;
}

/** Reads and repairs one bracketed value; if the text ends early it goes back to the last complete object. */
function scanValue(text: string, start: number): Scan {
  const closers: string[] = [];
  let json = '';
  let inString = false;
  let lastObject = { length: 0, closers: '' };
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (inString) {
      if (char === '\\') json += char + text.charAt(++at);
      else json += char < ' ' ? JSON.stringify(char).slice(1, -1) : char;
      if (char === '"') inString = false;
      continue;
    }
    if (char === '"') inString = true;
    else if (char === '{') closers.push('}');
    else if (char === '[') closers.push(']');
    else if (char === '}' || char === ']') {
      if (closers.pop() !== char) return { json: '', end: at + 1, truncated: false };
      json = `${json.replace(/,\s*$/, '')}${char}`;
      if (closers.length === 0) return { json, end: at + 1, truncated: false };
      if (char === '}') lastObject = { length: json.length, closers: closers.toReversed().join('') };
      continue;
    }
    json += char;
  }
  return { json: json.slice(0, lastObject.length) + lastObject.closers, end: text.length, truncated: true };
}
