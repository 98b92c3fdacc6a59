import { posix } from 'node:path';
import type { IndexedDocument, MemoryIndex } from '../../index/memory-index.ts';
import { MOST_NAMES, type Renames } from '../../provenance/renamed-files.ts';
import { bearingOf, evidenceFor } from '../../search/bearing.ts';
import { searchIndex, wordsOnly } from '../../search/search-index.ts';
import { hasTopic } from '../../search/topic-words.ts';

/** Most records injected with a prompt: the agent reads all of them, whether they bear on it or not. */
const MOST = 4;

/**
 * The log-odds from which a record is injected, among prompts that are mostly about something else. Silence costs
 * little; a wrong record costs the reader's trust. A lower bar finds hardly more and is wrong more often
 * (`npm run bench -- injection`).
 */
const BAR = -0.5;

/** How far a further record must exceed the bar, and how close to the first one the search must rank it. */
const FURTHER = { above: 2.5, within: 0.15 } as const;

/** The part of a long prompt that is read: the request is at the beginning, or at the end after pasted text. */
const HEAD = 1500;
const TAIL = 500;

/** Tells whether a prompt names a topic; "yes, do it" does not, and then no index need be opened. */
export function namesTopic(text: string): boolean {
  return hasTopic(excerpt(text));
}

/** Records whose trust is checked, ten times what is injected: the best ones, and those that would replace them. */
const CONSIDERED = 40;

/** Records that are ranked exactly. A search ranks more, because vectors and neighbours move them; here only words do. */
const CANDIDATES = 100;

interface PromptAnswer {
  /** Best first: usually none. */
  hits: Bearing[];
  /** Which of their sentences to show. */
  weights: Map<string, number>;
  /** The records that the hits were ranked against, and the next ones: none of them may be untrusted. */
  considered: IndexedDocument[];
}

/**
 * The records that bear on a prompt. With `renames` it is also asked with the former names of renamed files, because a
 * record may cite the old ones or the new ones; `without` are blobs of records that are neither injected nor ranked
 * against; `bar` replaces the shipped one, to measure what that would inject.
 */
export function findForPrompt(
  index: MemoryIndex,
  text: string,
  { renames, without, bar = BAR }: { renames?: Renames; without?: ReadonlySet<string>; bar?: number } = {},
): PromptAnswer {
  const texts = [text, ...(renames ? withFormerNames(text, renames) : [])];
  const answers = texts.map((one) => bearingOn(index, excerpt(one), bar, without));
  const best = new Map<number, Bearing>();
  for (const one of answers.flatMap(({ bearing }) => bearing)) {
    if (one.score > (best.get(one.document.row)?.score ?? bar - 1)) best.set(one.document.row, one);
  }
  const bearing = [...best.values()].sort((a, b) => b.score - a.score).slice(0, MOST);
  const isInjected = ({ score, closeness }: Bearing, i: number) =>
    i === 0 || (score >= bar + FURTHER.above && closeness >= 1 - FURTHER.within);
  return {
    hits: bearing.filter(isInjected),
    weights: new Map(answers.flatMap(({ weights }) => [...weights])),
    considered: answers.flatMap(({ considered }) => considered),
  };
}

interface Bearing {
  document: IndexedDocument;
  /** The log-odds that it bears on the prompt. */
  score: number;
  /** Its search score relative to that of the record with the most evidence. */
  closeness: number;
}

function bearingOn(index: MemoryIndex, prompt: string, bar: number, without: ReadonlySet<string> | undefined) {
  const filter = { kind: ['observation' as const] };
  const asked = { text: prompt, plain: true, filter, limit: CONSIDERED, candidates: CANDIDATES };
  const { hits, weights } = searchIndex(wordsOnly(index), { ...asked, ...(without && { without }) });
  const evidence = evidenceFor(index, prompt, weights);
  const [best = 0, second = 0] = hits.map(({ score }) => score);
  // The search may put a record first that only has the prompt's common words; here the one with the most evidence
  // comes first.
  const found = hits.slice(0, MOST).flatMap(({ document, score: rank }, i) => {
    const about = evidence(document);
    const score = about === undefined ? bar - 1 : bearingOf(about, i === 0 ? 1 - second / best : 0);
    return score < bar ? [] : [{ document, score, rank }];
  });
  found.sort((a, b) => b.score - a.score);
  const top = found[0]?.rank ?? 1;
  const bearing = found.map(({ document, score, rank }): Bearing => ({ document, score, closeness: rank / top }));
  return { bearing, weights, considered: hits.map(({ document }) => document) };
}

function excerpt(text: string): string {
  const part = text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  // A pasted log repeats a line a hundred times; that makes the prompt no more about it.
  return [...new Set(part.split('\n'))].join('\n');
}

/**
 * The prompt as it would have read before the files that it names, by path or base name, were renamed: one text per
 * former name, none without renames.
 */
function withFormerNames(text: string, renames: Renames): string[] {
  const former = new Map<string, string[]>();
  for (const now of new Set(renames.all())) {
    const names = replaced(text, '', now).isNamed ? renames.formerNames(now) : [];
    if (names.length > 0) former.set(now, names);
  }
  const times = Math.min(MOST_NAMES, Math.max(0, ...[...former.values()].map(({ length }) => length)));
  const texts = Array.from({ length: times }, (_, i) =>
    [...former].reduce((before, [now, paths]) => replaced(before, paths[i] ?? paths.at(-1) ?? now, now).text, text),
  );
  return [...new Set(texts)].filter((before) => before !== text);
}

/** A text with a file's current name replaced by a former one, and whether it has the current name at all. */
function replaced(text: string, former: string, now: string): { text: string; isNamed: boolean } {
  if (!text.includes(posix.basename(now))) return { text, isNamed: false };
  const whole = text.split(asWord(now));
  const parts = whole.map((part) => part.split(asWord(posix.basename(now))));
  const isNamed = whole.length > 1 || parts.some(({ length }) => length > 1);
  return { text: parts.map((pieces) => pieces.join(posix.basename(former))).join(former), isNamed };
}

/** Matches a name as a whole; a name without a dot or a slash never matches, because it may be any word. */
function asWord(name: string): RegExp {
  if (!/[./]/.test(name)) return /(?!)/;
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`, 'u');
}
