import { InvalidArgumentError } from 'commander';
import { jsonIn } from '../../json.ts';
import { KINDS, type Kind, type StoreName } from '../../memory/record.ts';
import type { PERSONAL } from '../../memory/store/personal.ts';
import type { Filter } from '../../records/card-filter.ts';

/** The filters that reading commands share, as commander parsed them. */
export interface FilterOptions extends Omit<Filter, 'store'> {
  store?: StoreName | typeof PERSONAL;
  limit?: number;
  /** A revision. */
  at?: string;
}

/** Parses a whole number from a command line; anything else is wrong usage. Nothing that is counted has over nine digits. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number such as 20.');
}

/** Parses a TCP port from a command line, 0 for any free one; anything else is wrong usage. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('It is not a port: a whole number up to 65535.');
}

/** Parses kinds of records separated by commas, in the singular or plural. */
export function kinds(text: string, before: Kind[] = []): Kind[] {
  return [...before, ...text.split(',').map(kindOf)];
}

/** Parses words separated by commas, or in JSON. */
export function words(text: string, before: string[] = []): string[] {
  const list = jsonIn(text);
  const given = Array.isArray(list) ? list.map(String) : text.split(',');
  return [...before, ...given.map((word) => word.trim()).filter(Boolean)];
}

/** Joins the texts of an option that is given again as paragraphs, as git does with `-m`. */
export function paragraphs(text: string, before?: string): string {
  return before === undefined ? text : `${before}\n\n${text}`;
}

/** Collects the values of an option that may be repeated. */
export function each(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function kindOf(text: string): Kind {
  const singular = text.replace(/^summaries$/, 'summary').replace(/s$/, '');
  const kind = KINDS.find((known) => known === singular);
  if (kind === undefined) throw new InvalidArgumentError(`Kinds are ${KINDS.join(', ')}.`);
  return kind;
}
