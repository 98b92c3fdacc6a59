import { createHash } from 'node:crypto';
import { readBlobs } from '../../../git/objects.ts';
import type { Environment } from '../../../user-folders.ts';

/** A text file at HEAD. */
export interface Page {
  path: string;
  lines: string[];
}

/** Larger files were not written for reading. */
const MOST_BYTES = 1_500_000;

/** Reads files at HEAD with one git child, in the order given; binary, large and missing ones are left out. */
export async function readPages(
  root: string,
  env: Environment,
  tree: ReadonlyMap<string, string>,
  paths: string[],
): Promise<Page[]> {
  const blobs = paths.flatMap((path) => tree.get(path) ?? []);
  const contents = await readBlobs(root, blobs, env);
  return paths.flatMap((path) => {
    const content = contents.get(tree.get(path) ?? '');
    if (content === undefined || content.length > MOST_BYTES || content.includes(0)) return [];
    return [{ path, lines: content.toString('utf8').split(/\r?\n/) }];
  });
}

/** A line of a file, verbatim, and its position. */
export interface Quote {
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

/** `CONTRIBUTING.md:12`, the form in which editors open it. */
export function placeOf({ path, line }: Pick<Quote, 'path' | 'line'>): string {
  return `${path}:${line}`;
}

/** A quotation as a fact: its place, then its text. */
export function factOf(quote: Quote): string {
  return `${placeOf(quote)}: ${quote.text}`;
}

/** A quotation of at most `max` characters, cut at a word and ending with `…` if it was cut. */
export function clipped(quote: Quote, max = 190): Quote {
  const { path, line, text } = quote;
  return { path, line, text: text.length <= max ? text : `${text.slice(0, max - 1).replace(/(?<!\s)\s+\S*$/, '')}…` };
}

/** A hash of the quoted words, unaffected when they move within their files. */
export function editionOf(quotes: Pick<Quote, 'path' | 'text'>[]): string {
  const words = quotes.map(({ path, text }) => `${path}\0${text}`).join('\n');
  return createHash('sha256').update(words).digest('hex').slice(0, 16);
}
