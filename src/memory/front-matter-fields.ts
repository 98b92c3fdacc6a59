import { GitMemError } from '../errors.ts';
import { oneLine, type YamlValue } from './record.ts';

/** Typed reading of untyped front matter: each key is taken once, and keys that were not taken are kept as `extra`. */
export class FrontMatterFields {
  private readonly data: Map<string, YamlValue>;
  private readonly path: string;

  constructor(data: Record<string, YamlValue>, path: string) {
    this.data = new Map(Object.entries(data));
    this.path = path;
  }

  line(key: string): string | undefined {
    const value = this.take(key);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw this.wrong(key, 'one line of text', '"a few words"', value);
    return oneLine(value);
  }

  number(key: string): number | undefined {
    const value = this.line(key);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(number)) throw this.wrong(key, 'a whole number', '3', value);
    return number;
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T | undefined {
    const value = this.line(key);
    const found = allowed.find((word) => word === value);
    if (value !== undefined && found === undefined) {
      const { message, hint } = this.wrong(key, allowed.join(', '), allowed[0] ?? '', value);
      throw new GitMemError('bad-record', message, {
        hint: `${hint} A newer git-mem may know "${value.slice(0, 40)}".`,
      });
    }
    return found;
  }

  list(key: string): string[] {
    const value = this.take(key);
    if (value === undefined || value === '') return [];
    if (typeof value === 'string') return [oneLine(value)];
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
      throw this.wrong(key, 'a list of texts', '["one", "two"]', value);
    }
    return value;
  }

  entries(key: string): Record<string, string> {
    const value = this.take(key) ?? {};
    if (value === '') return {};
    if (typeof value !== 'object' || Array.isArray(value)) throw this.wrong(key, 'a map of texts', '{a: "b"}', value);
    const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(entries);
  }

  rest(): { extra?: Record<string, YamlValue> } {
    return this.data.size === 0 ? {} : { extra: Object.fromEntries(this.data) };
  }

  wrong(key: string, expected: string, example: string, came?: YamlValue): GitMemError {
    const what = came === undefined ? 'is missing' : `is ${JSON.stringify(came)?.slice(0, 80)}`;
    return new GitMemError('bad-record', `${this.path}: "${key}" ${what}; expected ${expected}.`, {
      hint: `For example \`${key}: ${example}\`.`,
    });
  }

  private take(key: string): YamlValue | undefined {
    const value = this.data.get(key);
    this.data.delete(key);
    return value;
  }
}
