import { posix } from 'node:path';
import type { IndexedDocument, MemoryIndex } from '../../index/memory-index.ts';
import { MOST_NAMES, type Renames } from '../../provenance/renamed-files.ts';
import { bearingOf, evidenceFor } from '../../search/bearing.ts';
import { searchIndex, wordsOnly } from '../../search/search-index.ts';
import { hasTopic } from '../../search/topic-words.ts';

/** Most records injected with a prompt: the agent reads all of them, relevant or not. */
const MOST = 4;

/**
 * The least log-odds at which a record is injected, given that most prompts are about something else. Silence costs
 * little; a wrong record costs the reader's trust. A lower bar finds hardly more and is wrong more often
 * (`npm run bench -- injection`).
 */
const BAR = -0.5;

/** What any further record needs: log-odds above the bar, and a search score that is close to the first one's. */
const FURTHER = { above: 2.5, within: 0.15 } as const;

/** Characters of a long prompt that are read: the request is at its beginning, or at its end after pasted text. */
const HEAD = 1500;
const TAIL = 500;

/** Tells whether a prompt names a topic: for one such as "yes, do it", which does not, no index need be opened. */
export function namesTopic(text: string): boolean {
  return hasTopic(excerpt(text));
}

/** Records whose trust is checked: the best ones and those that would take their places, ten times what is injected. */
const CONSIDERED = 40;

/** Records ranked exactly. A search ranks more, because vectors and neighbours reorder them; here only words count. */
const CANDIDATES = 100;

interface PromptAnswer {
  /** Best first; usually empty. */
  hits: Bearing[];
  /** The weight of each word of the prompt, for choosing which sentence of a hit to show. */
  weights: Map<string, number>;
  /** All records ranked, hits included. If any is untrusted, the caller has to ask again without it. */
  considered: IndexedDocument[];
}

/**
 * The records that bear on a prompt. With `renames`, a prompt that names renamed files is also tried with their former
 * names, because records may cite either; `without` are blobs of records to leave out, also from the ranking; `bar`
 * replaces the shipped one, to measure what another would inject.
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
  // The search may rank a record first that has only the prompt's common words, so the records are sorted again by
  // evidence.
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
  // A pasted log may repeat a line a hundred times, which makes the prompt no more about that line.
  return [...new Set(part.split('\n'))].join('\n');
}

/**
 * The prompt as it would have read before the files that it names, by path or base name, were renamed: at most as
 * many texts as one file has former names; none without renames.
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

/** The text with a file's current name replaced by a former one, and whether it contains the current name at all. */
function replaced(text: string, former: string, now: string): { text: string; isNamed: boolean } {
  if (!text.includes(posix.basename(now))) return { text, isNamed: false };
  const whole = text.split(asWord(now));
  const parts = whole.map((part) => part.split(asWord(posix.basename(now))));
  const isNamed = whole.length > 1 || parts.some(({ length }) => length > 1);
  return { text: parts.map((pieces) => pieces.join(posix.basename(former))).join(former), isNamed };
}

/** Matches a name as a whole; never matches one without a dot or a slash, which could be any word. */
function asWord(name: string): RegExp {
  if (!/[./]/.test(name)) return /(?!)/;
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`, 'u');
}
