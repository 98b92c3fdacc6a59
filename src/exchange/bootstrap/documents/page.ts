import { createHash } from 'node:crypto';
import { readBlobs } from '../../../git/objects.ts';
import type { Content } from '../../../memory/record.ts';
import type { Environment } from '../../../user-folders.ts';
import type { Finding } from '../finding.ts';
import type { History } from '../history.ts';

/** The repository whose files are read. */
export interface Reading {
  root: string;
  env: Environment;
  history: History;
}

/** A text file at HEAD. */
export interface Page {
  path: string;
  lines: string[];
}

/** Larger files were not written for reading. */
const MOST_BYTES = 1_500_000;

/**
 * Files at HEAD with matching paths, nearest to the top first; binary and large ones are left out. `most` bounds the
 * time where thousands match: those near the top speak for the repository.
 */
export async function pagesLike(
  { root, env, history: { tree } }: Reading,
  fits: (path: string) => boolean,
  most: number,
): Promise<Page[]> {
  const depth = (path: string) => path.split('/').length;
  const files = [...tree].filter(([path]) => fits(path));
  files.sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const wanted = files.slice(0, most);
  const blobs = wanted.map(([, blob]) => blob);
  const contents = await readBlobs(root, blobs, env);
  return wanted.flatMap(([path, blob]) => {
    const content = contents.get(blob);
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

/** Characters of a quotation: with its path it stays below the longest fact, which has 240 of them. */
const LONGEST = 190;

/** A quotation of at most `max` characters, cut at a word and ending with `…` if it was cut. */
export function clipped(quote: Quote, max = LONGEST): Quote {
  const { path, line, text } = quote;
  return { path, line, text: text.length <= max ? text : `${text.slice(0, max - 1).replace(/(?<!\s)\s+\S*$/, '')}…` };
}

/** The text of a record that quotes files, and the quotations behind it. */
interface Quoted extends Pick<Finding, 'pattern' | 'subject' | 'weight'>, Omit<Content, 'type' | 'files_modified'> {
  quotes: Pick<Quote, 'path' | 'text'>[];
}

/** A finding based on the words of files, not on commits: it is written again only after these words have changed. */
export function quotedFinding({ pattern, subject, weight, quotes, ...text }: Quoted): Finding {
  const type = pattern === 'command' || pattern === 'layout' ? 'discovery' : 'decision';
  // Unaffected when the words move within their files; 64 bits tell the editions of one finding apart.
  const words = quotes.map(({ path, text }) => `${path}\0${text}`).join('\n');
  return {
    pattern,
    subject,
    weight,
    support: 1,
    edition: createHash('sha256').update(words).digest('hex').slice(0, 16),
    commits: [],
    incident: [],
    textWith: () => ({ type, ...text, files_modified: [] }),
  };
}
