import { readBlobs } from '../../git/objects.ts';
import { type MarkdownLine, markdownLines } from '../../memory/markdown-lines.ts';
import { type Content, LIMITS, oneLine } from '../../memory/record.ts';
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
  /** The same in every run: a purpose, a section of a page, a commit. */
  subject: string;
  /** The quoted words: the finding is written again only when they change. */
  words: string;
  content: Content;
  /** The commit that a revert's words come from; without it they come from the files. */
  commit?: string;
}

/** A text file of the reviewed branch. */
export interface Page {
  path: string;
  lines: string[];
}

/** Larger files were not written for reading. */
const MOST_BYTES = 1_500_000;

/** Text files with matching paths, nearest to the top first: those speak for the repository, so only `most` are read. */
export async function pagesLike({ workspace, tree }: Reading, fits: (path: string) => boolean, most: number) {
  const depth = (path: string) => path.split('/').length;
  const files = [...tree].filter(([path]) => fits(path));
  files.sort(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const wanted = files.slice(0, most);
  const blobs = wanted.map(([, blob]) => blob);
  const contents = await readBlobs(workspace.checkout.root, blobs, workspace.env);
  return wanted.flatMap(([path, blob]): Page[] => {
    const content = contents.get(blob);
    if (content === undefined || content.length > MOST_BYTES || content.includes(0)) return [];
    return [{ path, lines: content.toString('utf8').split(/\r?\n/) }];
  });
}

/** Maps a path in a site generator's folders to `docs/`, because guides there are not as deep as they look. */
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

/** Tells whether words make sense alone: they begin a sentence and don't end before a list or in mid-sentence. */
export function isWhole(text: string): boolean {
  const words = withoutMarkup(text);
  const isOpen = /[:,;?(–—]\W*$|\b(?:because|since|and|or|but|that|with|to|of|if|as|e\.g|i\.e)\W*$/i.test(words);
  return (/^[\p{Lu}"'\d]/u.test(words) || /^\W*`/.test(text)) && !isOpen && (text.split('`').length - 1) % 2 === 0;
}

/** The first title that is not too long. A title is never cut: half a rule may say the opposite of the whole. */
export function fittingTitle(titles: string[], longest: number): string {
  return titles.find((title) => title.length <= longest) ?? '';
}

interface Quoted extends Pick<Finding, 'pattern' | 'subject'>, Omit<Content, 'type' | 'files_modified'> {
  quotes: Pick<Quote, 'path' | 'text'>[];
}

/** A finding based on the words of files: moving the words within their files does not change it. */
export function quotedFinding({ pattern, subject, quotes, ...text }: Quoted): Finding {
  const type = pattern === 'command' ? 'discovery' : 'decision';
  const words = quotes.map((quote) => `${quote.path}\0${quote.text}`).join('\n');
  return { pattern, subject, words, content: { type, ...text, files_modified: [] } };
}

type CommandText = Pick<Quoted, 'subject' | 'title' | 'narrative' | 'concepts'> & { quotes: Quote[] };

/** A finding whose quotations are commands of one file, each of them a fact. */
export function commandFinding(text: CommandText): Finding {
  const facts = text.quotes.slice(0, LIMITS.facts).map(factOf);
  return quotedFinding({ pattern: 'command', ...text, facts, files_read: [text.quotes[0]?.path ?? ''] });
}

/** A paragraph or a list item, on one line. */
export interface Block extends Quote {
  /** `-`, `1.` or `- [ ]` of a list item; empty for a paragraph. */
  mark: string;
  /** It is below a list item, which it belongs to. */
  isNested: boolean;
  /** It is in a block quotation, whose words are an example or somebody else's. */
  isQuotation: boolean;
}

/** A part of a page, from one heading to the next. */
export interface Section {
  path: string;
  heading: string;
  /** Line of the heading, from 1. */
  line: number;
  level: number;
  blocks: Block[];
  /** Lines of its code blocks, as far as they may be commands. */
  code: Quote[];
}

const UNDERLINE = /^([=\-~^"'*+#.])\1{2,}\s*$/;
const ITEM = /^\s*((?:[-*+]|(?:\d{1,2}|#)[.)])(?=\s)(?:\s+\[[ xX]\](?=\s))?)\s+/;
/** The languages of blocks with commands; many blocks have none. */
const SHELL = /^\s*[`~]+\s*(?:\{?\.?(?:sh|bash|zsh|shell|console|terminal|text|nu|nushell|powershell|fish)\b.*)?$/i;
const QUOTATION = /^\s*>\s?/;
const BREAK = /<\/?br\s*\/?>/gi;

/** Splits Markdown and reStructuredText by lines; other markup gives one section. */
export function sectionsOf({ path, lines }: Page): Section[] {
  let current: Section = { path, heading: '', line: 1, level: 0, blocks: [], code: [] };
  const sections = [current];
  let block: Block | undefined;
  // The column of the items of the current list; undefined outside a list.
  let column: number | undefined;
  let isComment = false;
  let isShell = true;
  const isRst = /\.rst$/i.test(path);
  // The marks of underlines, topmost first: reStructuredText ranks them in order of appearance.
  const marks = isRst ? [] : ['=', '-'];
  const bodyAt = /^---\s*$/.test(lines[0] ?? '') ? lines.indexOf('---', 1) + 1 : 0;

  function add(text: string, line: number): void {
    const mark = ITEM.exec(text)?.[1] ?? '';
    const isQuotation = QUOTATION.test(text);
    const words = oneLine(text.replace(ITEM, '').replace(QUOTATION, '').replace(BREAK, ' '));
    if (block && mark === '' && block.isQuotation === isQuotation) {
      block.text += ` ${words}`;
      return;
    }
    const indent = /^\s*/.exec(text)?.[0].length ?? 0;
    if (mark === '' && indent < 2) column = undefined;
    const isNested = mark === '' ? indent >= 2 : indent > (column ?? indent);
    if (mark !== '') column = Math.min(column ?? indent, indent);
    block = { path, line, text: words, mark, isNested, isQuotation };
    current.blocks.push(block);
  }

  function addLine({ text, number, level, words }: MarkdownLine): void {
    const heading =
      level > 0 ? { text: words, level } : block ? undefined : headingOf(text, lines[number] ?? '', marks);
    const isEnd = UNDERLINE.test(text) || text.trim() === '' || /^\s*(?:\.\. |\||>\s*(?:\[!|$))/.test(text);
    if (heading || isEnd) block = undefined;
    if (heading) {
      column = undefined;
      current = { path, heading: plain(heading.text), line: number, level: heading.level, blocks: [], code: [] };
      sections.push(current);
    } else if (!isEnd && !block && !ITEM.test(text) && /^ {4,}\S|^\t\S/.test(text)) {
      current.code.push({ path, line: number, text: text.trim() });
    } else if (!isEnd) add(text, number);
  }

  for (const line of isRst ? plainLines(lines) : markdownLines(lines)) {
    const { kind, text, number } = line;
    if (number <= bodyAt) continue;
    // A closing fence has no language, so indented code after it counts.
    if (kind === 'fence') isShell = SHELL.test(text);
    if (kind === 'code' && isShell) current.code.push({ path, line: number, text: text.trim() });
    if (kind === 'code' || kind === 'fence') block = undefined;
    else if (isComment || /^\s*<!--/.test(text)) {
      block = undefined;
      isComment = !text.includes('-->');
    } else addLine(line);
  }
  return sections;
}

/** Lines of a markup without fences, where three tildes underline a heading. */
function plainLines(lines: string[]): MarkdownLine[] {
  return lines.map((text, i) => ({ kind: 'text', text, number: i + 1, level: 0, words: '' }));
}

/** A heading with an underline, whose mark is added to `underlines` if it is new, or with AsciiDoc's marks. */
function headingOf(text: string, next: string, underlines: string[]): { text: string; level: number } | undefined {
  const [mark] = UNDERLINE.test(next) && /^\S/.test(text) && !UNDERLINE.test(text) ? next : '';
  if (mark !== undefined) {
    if (!underlines.includes(mark)) underlines.push(mark);
    return { text, level: underlines.indexOf(mark) + 1 };
  }
  const marks = /^(={1,6})\s+(\S.+)$/.exec(text);
  return marks === null ? undefined : { text: marks[2] ?? '', level: marks[1]?.length ?? 1 };
}

/** In reStructuredText single marks are for roles and links. */
export function codesIn(text: string, path: string): string[] {
  return text.split(path.endsWith('.rst') ? /``([^`]+)``/ : /`{1,2}([^`]+)`{1,2}/).filter((_, i) => i % 2 === 1);
}

function plain(heading: string): string {
  return oneLine(
    heading
      .replace(/!?\[([^\]]{0,300})\]\([^)]{0,300}\)/g, '$1')
      .replace(/\{#[^}]{0,300}\}|<[^>]{0,300}>/g, '')
      .replace(/[*_`]{1,3}/g, ''),
  );
}
