import { GitMemError } from '../errors.ts';
import type { Field } from '../index/memory-index.ts';
import { tokenize, tokenizeWords } from '../index/tokens.ts';
import { OBSERVATION_TYPES } from '../memory/record.ts';
import { datesIn } from './dates.ts';
import type { Operand, Query } from './query.ts';

/** Longest question that is read, in characters, and most distinct tokens kept from it: far beyond any pasted log. */
const MAX_LENGTH = 100_000;
const MAX_TERMS = 10_000;

/** A question with more tokens was pasted, not typed; with more than the second number, it is not about a date. */
const MAX_TYPED = 16;
const MAX_PASTED = 48;

/** With more words outside its quotes, a question is a sentence, such as a test's title, and its quotes are punctuation. */
const MAX_BESIDE = 4;

const FIELD_NAMES: Record<string, Field> = {
  title: 'title',
  narrative: 'narrative',
  fact: 'facts',
  facts: 'facts',
  concept: 'concepts',
  concepts: 'concepts',
  file: 'files',
  files: 'files',
};

// A quoted name before a colon is JSON, whose quotes are not phrases.
const DATA = /"\s{0,9}:\s{0,9}(?:["[{\d-]|true|false|null)/;

// A dash before a word, at a place where a word may begin; `--flag` and `-x` are pasted text, not exclusions.
const DASH = /(?:-(?=["“]|[\p{L}\p{N}_]{2}|\p{Script=Han}))/u;
// `title:x` and `title:"x y"`, but neither `title: x` nor `file://x`.
const NAME = new RegExp(`(?:(${Object.keys(FIELD_NAMES).join('|')}|type):(?=[^\\s/]))`);
const UNIT = new RegExp(
  `(?<=^|[\\s(])(${DASH.source})?${NAME.source}?(?:"([^"]{1,400})"|“([^“”]{1,400})”|([^\\s()"“”]+))`,
  'gu',
);

/** Maximum times used from one question: each is looked up separately, and a pasted log names hundreds. */
const MOST_SPANS = 8;

/**
 * Parses a question: plain words, `"quoted phrases"`, `-word` and `-"phrase"` to exclude, `title:word`, and AND, OR,
 * NOT between words. OR binds tighter than AND, so parentheses around it change nothing; throws bad-input for
 * parentheses that would.
 */
export function parseQuery(text: string, now: Date): Query {
  const question = text.slice(0, MAX_LENGTH);
  const plain = plainQuery(question);
  if (plain.terms.size > MAX_PASTED || DATA.test(question)) return plain;
  const dates = datesIn(question, now);
  const named = new Map(dates.map(({ span }) => [`${span.since} ${span.until}`, span]));
  const spans = [...named.values()].slice(0, MOST_SPANS);
  if (plain.terms.size > MAX_TYPED) return { ...plain, spans };
  refuseGroups(question);
  const { kept, ...query } = fold(withoutDates(question, dates), unitsOf(question));
  const undated = blanked(kept, dates).trim();
  return { ...query, words: tokenizeWords(undated), isOneWord: /^\S+$/.test(undated), spans };
}

/** Parses text that was not meant as a query, such as a prompt: no operators. */
export function plainQuery(text: string): Query {
  const question = text.slice(0, MAX_LENGTH);
  const terms = countTerms(question);
  return {
    terms,
    words: tokenizeWords(question),
    isOneWord: false,
    required: [],
    excluded: [],
    spans: [],
    isTyped: false,
  };
}

type Place = { start: number; end: number };

/** A word or phrase as typed, or an operator between two, with its position in the question. */
type Unit = Place &
  (
    | { operator: 'AND' | 'OR' | 'NOT' }
    | { operand: Operand | undefined; isExcluded: boolean; isRequired: boolean; nameLength: number }
  );

function unitsOf(question: string): Unit[] {
  const isSentence = tokenizeWords(question.replace(/"[^"]*"|“[^“”]*”/g, ' ')).length > MAX_BESIDE;
  return [...question.matchAll(UNIT)].map((match): Unit => {
    const [whole, dash, name, straight, curly, bare = ''] = match;
    const place = { start: match.index, end: match.index + whole.length };
    if (!dash && !name && (bare === 'AND' || bare === 'OR' || bare === 'NOT')) return { ...place, operator: bare };
    const quoted = straight ?? curly;
    const operand = operandOf(quoted ?? bare, name, quoted !== undefined);
    const isRequired = (quoted !== undefined && !isSentence) || name !== undefined;
    const nameLength = name === undefined || operand === undefined ? 0 : name.length + 1;
    return { ...place, operand, isExcluded: dash !== undefined, isRequired, nameLength };
  });
}

/** What one word or phrase demands; undefined for a stop-word or an unknown type. */
function operandOf(text: string, name: string | undefined, isQuoted: boolean): Operand | undefined {
  if (name === 'type') {
    const type = [...OBSERVATION_TYPES, 'summary'].find((known) => known === text);
    return type === undefined ? undefined : { type };
  }
  const field = name === undefined ? undefined : FIELD_NAMES[name];
  // Only the whole token of a compound word: `-self-made` excludes no other use of `self`.
  const tokens = isQuoted ? tokenize(text) : tokenizeWords(text).flatMap((word) => word.at(-1) ?? []);
  if (tokens.length === 0) return undefined;
  return { tokens, isPhrase: isQuoted, ...(isQuoted && { quoted: text }), ...(field && { field }) };
}

function fold(question: string, units: Unit[]): Omit<Query, 'spans' | 'words' | 'isOneWord'> & { kept: string } {
  const required: Operand[][] = [];
  const excluded: Operand[] = [];
  /** The alternatives whose last word was just read. */
  let group: Operand[] = [];
  let before: Unit | undefined;
  let isNegated = false;
  let kept = question;
  const leaveOut = (place: Place) => {
    kept = blanked(kept, [place]);
  };
  for (const [at, unit] of units.entries()) {
    const joins = before;
    before = unit;
    if ('operator' in unit) {
      leaveOut(unit);
      isNegated = unit.operator === 'NOT';
      continue;
    }
    const { operand, isExcluded, isRequired } = unit;
    if (isExcluded || isNegated) {
      leaveOut(unit);
      if (operand) excluded.push(operand);
      isNegated = false;
      continue;
    }
    // A stop-word demands nothing, and neither do its alternatives.
    const isAlternative = isOperator(joins, 'OR');
    if (isAlternative && required.at(-1) === group) required.pop();
    if (operand === undefined || (isAlternative && group.length === 0)) {
      group = [];
      continue;
    }
    leaveOut('tokens' in operand ? { start: unit.start, end: unit.start + unit.nameLength } : unit);
    group = isAlternative ? [...group, operand] : [operand];
    const isJoined = isOperator(joins, 'AND', 'OR') || isOperator(units[at + 1], 'AND', 'OR');
    if (isRequired || isJoined) required.push(group);
  }
  const terms = countTerms(kept);
  const isAsked = (one: Operand) => 'tokens' in one && one.tokens.length === 1 && terms.has(one.tokens[0] ?? '');
  return { kept, terms, required, excluded: excluded.filter((one) => !isAsked(one)), isTyped: true };
}

function isOperator(unit: Unit | undefined, ...names: string[]): boolean {
  return unit !== undefined && 'operator' in unit && names.includes(unit.operator);
}

/** Removes dates in words, such as `last week`, which are not searched for; one in digits may be in a record. */
function withoutDates(question: string, dates: Place[]): string {
  const inWords = dates.filter(({ start, end }) => !/\d{4}/.test(question.slice(start, end)));
  return blanked(question, inWords);
}

function blanked(text: string, places: Place[]): string {
  let kept = text;
  for (const { start, end } of places) kept = kept.slice(0, start) + ' '.repeat(end - start) + kept.slice(end);
  return kept;
}

/** Parentheses around OR change nothing; any others are refused, because they would be ignored. */
function refuseGroups(question: string): void {
  if (!/\sOR\s/.test(question) || !/\([^()]*\s(?:AND|NOT)\s[^()]*\)/.test(question)) return;
  throw new GitMemError('bad-input', 'Parentheses around AND or NOT are not understood beside OR.', {
    hint: 'OR binds tighter than AND: write a AND b OR c for "a, and one of b and c", and ask twice for anything else.',
  });
}

function countTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const token of tokenize(text)) {
    const count = terms.get(token);
    if (count !== undefined) terms.set(token, count + 1);
    else if (terms.size < MAX_TERMS) terms.set(token, 1);
  }
  return terms;
}
