import type { MemoryRecord } from '../../src/memory/record.ts';

/** What a session's `truth.json` says of one fact. */
export interface TruthFact {
  id: string;
  type: string;
  must_mention: string[];
  turn: number;
  optional?: boolean;
  /** What was true earlier in the session and is wrong at its end. */
  supersedes?: string;
}

export interface Truth {
  name: string;
  facts: TruthFact[];
  must_never_appear: { secrets: string[]; private: string[]; injection: string[] };
}

export interface Score {
  /** Facts that one record holds whole; optional ones count neither way unless they are covered. */
  covered: number;
  total: number;
  perFact: { id: string; covered: boolean; optional: boolean; by: string[] }[];
  /** Facts whose earlier contradiction still stands in a record that nothing supersedes. */
  standing: { id: string; record: string; overlap: number }[];
}

/**
 * Scores the records of a session against its truth. A fact is covered when one observation or summary contains every
 * entry of `must_mention`, whatever the case; `a|b` means a or b.
 *
 * Standing: `supersedes` describes in words what the session took back. An observation of a turn before the fact's turn is
 * taken to hold that when it shares at least half of the description's content words, or two of them with its title. It is
 * left standing when no record of the session names it in `supersedes` and its own text does not already hold the fact.
 */
export function scoreSession(truth: Truth, records: MemoryRecord[]): Score {
  const told = records.filter((record) => record.kind === 'observation' || record.kind === 'summary');
  const perFact = truth.facts.map((fact) => {
    const by = told.filter((record) => holds(fact, textOf(record))).map(({ id }) => id);
    return { id: fact.id, covered: by.length > 0, optional: fact.optional === true, by };
  });
  const counted = perFact.filter(({ covered, optional }) => covered || !optional);
  return {
    covered: counted.filter(({ covered }) => covered).length,
    total: counted.length,
    perFact,
    standing: truth.facts.flatMap((fact) => standing(fact, records)),
  };
}

/** True where a text contains every entry of a fact's `must_mention`. */
export function holds(fact: Pick<TruthFact, 'must_mention'>, text: string): boolean {
  const lower = text.toLowerCase();
  return fact.must_mention.every((entry) => entry.split('|').some((choice) => lower.includes(choice.toLowerCase())));
}

/** Everything that a reader of the record sees. */
export function textOf(record: MemoryRecord): string {
  switch (record.kind) {
    case 'observation': {
      const { title, subtitle = '', narrative, facts, concepts, files_modified, files_read } = record;
      return [title, subtitle, narrative, ...facts, ...concepts, ...files_modified, ...files_read].join('\n');
    }
    case 'summary': {
      const { title, request, investigated, learned, completed, next_steps, notes } = record;
      return [title, request, investigated, learned, completed, next_steps, notes].join('\n');
    }
    default:
      return '';
  }
}

function standing(fact: TruthFact, records: MemoryRecord[]): Score['standing'] {
  if (fact.supersedes === undefined) return [];
  const described = wordsOf(fact.supersedes.replace(/\bof turn \d+\b/u, ''));
  const superseded = new Set(records.flatMap((record) => ('supersedes' in record ? record.supersedes : [])));
  return records.flatMap((record) => {
    if (record.kind !== 'observation' || superseded.has(record.id) || (record.prompt_number ?? 0) >= fact.turn)
      return [];
    const text = textOf(record);
    const words = wordsOf(text);
    const overlap = described.filter((word) => words.includes(word)).length / Math.max(1, described.length);
    const titled = described.filter((word) => wordsOf(record.title).includes(word)).length;
    return (overlap >= 0.5 || titled >= 2) && !holds(fact, text) ? [{ id: fact.id, record: record.id, overlap }] : [];
  });
}

const COMMON = new Set(
  'the a an of in on at to that this also was were is are it and or with for by from turn one'.split(' '),
);

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}_]+/u);
  return [...new Set(words.filter((word) => word.length > 1 && !COMMON.has(word)))];
}
