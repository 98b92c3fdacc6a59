import { stem } from '../index/tokens.ts';
import { denialsIn } from './denials.ts';

// A sentence of a record as the words that carry its meaning, and what it denies. No grammar is parsed: a denial reaches
// a few words to one side, within its clause.

export interface Word {
  written: string;
  /** Without its ending; a name or number in lower case. */
  stem: string;
  kind: 'word' | 'name' | 'value';
  /** Number of its clause in the sentence. */
  clause: number;
  /** How much it says about what its sentence is about. */
  weight: number;
}

export interface Sentence {
  text: string;
  words: Word[];
  stems: ReadonlySet<string>;
  denials: Denial[];
  /** The stems of the words that it denies. */
  denied: ReadonlySet<string>;
}

/** Words that a sentence denies. `over`: they held once, and it says that they no longer do. */
export interface Denial {
  as: 'denied' | 'over';
  /** In the order of importance. */
  words: Word[];
}

/** Words read of a sentence: a longer one is a log. */
const MOST_WORDS = 60;

/** Code in backticks, words with what joins identifiers and paths, and the marks that separate clauses. */
const PIECE = /`[^`]+`|[\p{L}\p{N}_$~@*-]*[\p{L}\p{N}_$*][\p{L}\p{N}_$/.@:*'’-]*(?:\(\))?|[,;:()–—]/gu;

const wordsOf = (text: string) => new Set(text.split(' '));

/** Words that begin a clause which a denial does not reach. */
const CLAUSE_WORDS = wordsOf(
  'but because since so although though while whereas unless if when until after before as which that who where and or then even',
);

/** Words that carry nothing here. `now`, `only` and `every` are read where a rule is about them. */
const EMPTY = wordsOf(
  'a an the this that these those it its is are was were be been being to of in on at by for with from as and or but if ' +
    'so than then they them their there here do does did doing has have had having will would can could may might shall ' +
    'should must just also too very all any both each only into about over out up down again ever still same such own i ' +
    'you we he she my your our his her me us what which who whom whose when where why how not no nor never without ' +
    'cannot longer now because since while after before until unless even though although more most other',
);

/** Common words whose ending `stem` does not know. */
const IRREGULAR = new Map(
  (
    'used:use uses:use using:use ids:id wrote:writ written:writ ran:run sets:set kept:keep shown:show ' +
    'sent:send went:go goes:go made:mak built:build held:hold taken:tak took:tak said:say got:get ' +
    'gets:get found:find began:begin came:com comes:com broke:break broken:break chose:choos chosen:choos ' +
    'lies:li read:read fell:fal fallen:fal lost:los threw:throw thrown:throw'
  )
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);

/** Words so common in records that they say little about what a sentence is about. */
const COMMON = wordsOf(
  'use set work add make mak get run need call chang fil cod test hav say see tak go giv com put way thing time case cas ' +
    'still fix bug exist also first last funct method valu return new one two write writ read handl support',
);

/** Who does what these words say is a thing of its own. */
const DOER = /^(?:work|mak|runn|call|fix|test|sett|gett|read|writ|handl)ers?$/i;

/** Parses one sentence; `common` are stems that say as little as the most common words. */
export function parseSentence(text: string, common: ReadonlySet<string> = new Set()): Sentence {
  // Quoted words are somebody else's, and a mark that ends a word is a piece of its own.
  const spaced = text
    .replace(/"[^"]*"/g, ' ')
    .replace(/(?<=[\s(]\p{Ll}{3,30})-(?=\p{Ll}{3,30}\b(?![-/._]))/gu, ' ')
    .replace(/([\p{L}\p{N}`)'])([:,.])(?=\s|$)/gu, '$1 $2 ');
  const pieces = (spaced.match(PIECE) ?? []).slice(0, 2 * MOST_WORDS);
  const words: Word[] = [];
  const placed = new Map<number, Word>();
  let clause = 0;
  const lower = pieces.map((piece) => bare(piece).toLowerCase());
  pieces.forEach((piece, at) => {
    const word = lower[at] ?? '';
    if (isBreak(word)) clause++;
    if (!isContent(word)) return;
    const known = wordOf(bare(piece));
    const one = {
      ...known,
      written: bare(piece),
      clause,
      weight: weightOf({ ...known, written: bare(piece) }, common),
    };
    words.push(one);
    placed.set(at, one);
  });
  const denials = denialsIn(lower, { isBreak, isContent }).flatMap(({ as, at }): Denial[] => {
    const reached = at.flatMap((one) => placed.get(one) ?? []);
    return reached.length > 0 ? [{ as, words: reached }] : [];
  });
  const read = words.slice(0, MOST_WORDS);
  const denied = denials.flatMap((denial) => denial.words);
  return { text, words: read, stems: stemsOf(read), denials, denied: stemsOf(denied) };
}

/** What `read` finds in a sentence, read once: each sentence is compared with those of many records. */
export function readOnce<T>(read: (sentence: Sentence) => T): (sentence: Sentence) => T {
  const known = new WeakMap<Sentence, { found: T }>();
  return (sentence) => {
    const before = known.get(sentence);
    if (before !== undefined) return before.found;
    const found = read(sentence);
    known.set(sentence, { found });
    return found;
  };
}

function stemsOf(words: Word[]): Set<string> {
  return new Set(words.map(({ stem }) => stem));
}

function weightOf(
  { stem, kind, written }: Pick<Word, 'stem' | 'kind' | 'written'>,
  common: ReadonlySet<string>,
): number {
  if (kind === 'value') return 0.5;
  if ((COMMON.has(stem) && !DOER.test(written)) || common.has(stem)) return 0.4;
  return kind === 'name' ? 1.6 : 1;
}

function isBreak(word: string): boolean {
  return /^[,;:()–—]$/.test(word) || CLAUSE_WORDS.has(word);
}

function isContent(word: string): boolean {
  return word !== '' && !/^[,;:()–—]$|n['’]t$/.test(word) && !EMPTY.has(word);
}

function bare(piece: string): string {
  return piece.length === 1 ? piece : piece.replace(/^`|`$/g, '').replace(/(?<![.:'’-])[.:'’-]+$/u, '');
}

function wordOf(piece: string): Pick<Word, 'stem' | 'kind'> {
  const lower = piece.toLowerCase();
  if (/^[~<>]?v?\d/.test(lower)) return { stem: lower.replace(/^[~<>]/, ''), kind: 'value' };
  if (/[_/.$@*()]|^-|[a-z][A-Z]/.test(piece)) return { stem: nameOf(lower), kind: 'name' };
  const word = lower.replace(/['’]s$/, '');
  return { stem: IRREGULAR.get(word) ?? stem(word), kind: 'word' };
}

/** `fetch()` is `fetch`, and a file is known by its name: one record writes the whole path, another the end of it. */
function nameOf(name: string): string {
  const parts = name.replace(/\(\)$/, '').split('/').filter(Boolean);
  const last = parts.at(-1) ?? name;
  return /^[^.].*\.[a-z0-9]+$/.test(last) ? last : parts.slice(-2).join('/') || name;
}
