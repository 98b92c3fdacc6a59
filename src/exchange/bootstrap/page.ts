import { readBlobs } from '../../git/objects.ts';
import { type Content, LIMITS } from '../../memory/record.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { withoutMarkup } from '../../memory/without-markup.ts';

/** The reviewed branch, whose files and history are read whatever is checked out. */
export interface Reading {
  workspace: Workspace;
  /** The commit at its tip. */
  commit: string;
  /** Blob ids of its files by path. */
  tree: ReadonlyMap<string, string>;
}

export type Pattern = 'command' | 'rule' | 'decision' | 'revert';

/** What the repository says about itself, before it becomes a record. */
export interface Finding {
  pattern: Pattern;
  /** Its subject, the same in every run: a purpose, a section of a page, a commit. */
  subject: string;
  /** The quoted words: the finding is written again only when they change. */
  words: string;
  /** Without markup of the record's own: every quotation has its place. */
  content: Content;
  /** The commit that a revert's words come from; without it they are those of the files. */
  commit?: string;
}

/** A text file of the reviewed branch. */
export interface Page {
  path: string;
  lines: string[];
}

/** Larger files were not written for reading. */
const MOST_BYTES = 1_500_000;

/**
 * Files with matching paths, nearest to the top first; binary and large ones are left out. `most` bounds the time where
 * thousands match: those near the top speak for the repository.
 */
export async function pagesLike(
  { workspace, tree }: Reading,
  fits: (path: string) => boolean,
  most: number,
): Promise<Page[]> {
  const depth = (path: string) => path.split('/').length;
  const files = [...tree].filter(([path]) => fits(path));
  files.sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const wanted = files.slice(0, most);
  const blobs = wanted.map(([, blob]) => blob);
  const contents = await readBlobs(workspace.checkout.root, blobs, workspace.env);
  return wanted.flatMap(([path, blob]) => {
    const content = contents.get(blob);
    if (content === undefined || content.length > MOST_BYTES || content.includes(0)) return [];
    return [{ path, lines: content.toString('utf8').split(/\r?\n/) }];
  });
}

/** A path inside the folders of a website's generator, where guides lie as deep as they would at the top. */
export function inSite(path: string): string {
  return path.replace(/^(?:docs|website|site)\/(?:(?:content|src|docs|en)\/)*/, 'docs/');
}

/** Words of a file, verbatim, and the line on which they begin. */
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

/** A quotation as a fact: its place, then as much of its text as a fact has room for, cut at a word and ending with `…`. */
export function factOf({ path, line, text }: Quote): string {
  const fact = `${placeOf({ path, line })}: ${text}`;
  return fact.length <= LIMITS.fact ? fact : `${fact.slice(0, LIMITS.fact - 1).replace(/(?<!\s)\s+\S*$/, '')}…`;
}

/** Tells whether words can be understood alone: they begin a sentence and do not end before a list or in the middle. */
export function isWhole(text: string): boolean {
  const words = withoutMarkup(text);
  const isOpen = /[:,;?(–—]\W*$|\b(?:because|since|and|or|but|that|with|to|of|if|as|e\.g|i\.e)\W*$/i.test(words);
  return (/^[\p{Lu}"'\d]/u.test(words) || /^\W*`/.test(text)) && !isOpen && (text.split('`').length - 1) % 2 === 0;
}

/** The first title that is not too long. A title is never cut: half a rule may say the opposite of the whole. */
export function fittingTitle(titles: string[], longest: number): string {
  return titles.find((title) => title.length <= longest) ?? '';
}

/** The text of a record that quotes files, and the quotations behind it. */
interface Quoted extends Pick<Finding, 'pattern' | 'subject'>, Omit<Content, 'type' | 'files_modified'> {
  quotes: Pick<Quote, 'path' | 'text'>[];
}

/** A finding based on the words of files: it is written again only after these words have changed. */
export function quotedFinding({ pattern, subject, quotes, ...text }: Quoted): Finding {
  const type = pattern === 'command' ? 'discovery' : 'decision';
  // Unaffected when the words move within their files.
  const words = quotes.map((quote) => `${quote.path}\0${quote.text}`).join('\n');
  return { pattern, subject, words, content: { type, ...text, files_modified: [] } };
}

type Quotes = { quotes: Quote[] };

/** A finding whose quotations are commands, each of them a fact. */
export function commandFinding(text: Pick<Quoted, 'subject' | 'title' | 'narrative' | 'concepts'> & Quotes): Finding {
  const facts = text.quotes.slice(0, LIMITS.facts).map(factOf);
  const paths = new Set(text.quotes.map(({ path }) => path));
  return quotedFinding({ pattern: 'command', ...text, facts, files_read: [...paths] });
}
