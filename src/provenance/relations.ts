import type { EffectiveState, Statement } from '../memory/marks.ts';
import type { Mark, MemoryRecord, Prompt } from '../memory/record.ts';
import type { Entry } from '../memory/store/store.ts';
import { isTrusted, type Trust } from './trust.ts';

/** A record with what is known about it. */
export interface KnownRecord {
  record: MemoryRecord;
  entry: Entry;
  trust: Trust;
  state: EffectiveState;
}

/** How other records relate to one. */
export interface Relations {
  /** Other observations and summaries of its session, oldest first. */
  session: KnownRecord[];
  /** What the user asked for, where the private store has it. */
  prompt?: Prompt;
  /** Ids that it replaces, and that those replaced before, nearest first; some may be records that are not here. */
  supersedes: string[];
  /** The same the other way. */
  superseded_by: string[];
  marks: JudgedMark[];
  /** Observations and summaries that name its id. */
  cited_by: KnownRecord[];
}

/** A mark on a record. */
export interface JudgedMark {
  mark: Mark;
  trust: Trust;
  /** It is trusted, and nothing that is trusted has undone it. */
  active: boolean;
}

/** What a record says of others, and whose word it is. */
interface Spoken {
  statement: Statement;
  trust: Trust;
}

/** What the others say of a record, and what they have in common with it; `spoken`: what all records say of others. */
export function relationsOf(id: string, records: KnownRecord[], spoken = statementsOf(records)): Relations {
  const own = records.find(({ record }) => record.id === id)?.record;
  const others = records.filter(({ record }) => record.id !== id);
  const sessionRecords = others.filter(({ record }) => record.kind === 'observation' || record.kind === 'summary');
  const judge = judgeOf(spoken);
  const pairs = replacementsIn(spoken);
  const prompt = promptOf(own, others);
  return {
    session: sessionRecords
      .filter(({ record }) => own?.session !== undefined && record.session === own.session)
      .reverse(),
    ...(prompt && { prompt }),
    supersedes: reached(id, (at) => pairs.flatMap(({ old, by }) => (by === at ? [old] : []))),
    superseded_by: reached(id, (at) => pairs.flatMap(({ old, by }) => (old === at ? [by] : []))),
    marks: records.flatMap(({ record, trust }) => {
      if (record.kind !== 'mark' || record.type === 'undo' || !record.targets.includes(id)) return [];
      return [{ mark: record, trust, active: judge(record, trust, id) }];
    }),
    cited_by: sessionRecords.filter(({ record }) => names(record, id)),
  };
}

/** Tells whether a mark is active on a record: both it and what undoes it count only where they are trusted. */
function judgeOf(spoken: Spoken[]): (mark: { id: string }, trust: Trust, target: string) => boolean {
  const undone = new Set(
    spoken.flatMap(({ statement, trust }) =>
      statement.kind === 'mark' && statement.type === 'undo' && isTrusted(trust) ? statement.targets : [],
    ),
  );
  return (mark, trust, target) => isTrusted(trust) && !undone.has(mark.id) && !undone.has(target);
}

/** Who replaces whom by the word of trusted records and of active marks. */
export function replacementsIn(spoken: Spoken[]): { old: string; by: string }[] {
  const isActive = judgeOf(spoken);
  return spoken.flatMap(({ statement, trust }) => {
    if (!isTrusted(trust) || statement.kind === 'prompt') return [];
    if (statement.kind !== 'mark') return statement.supersedes.map((old) => ({ old, by: statement.id }));
    const { by, type, targets } = statement;
    if (type !== 'supersede' || by === undefined) return [];
    return targets.filter((old) => isActive(statement, trust, old)).map((old) => ({ old, by }));
  });
}

/** The marks on each record, by its id: what `relationsOf` tells of one, for all at once. */
export function marksByTarget(records: KnownRecord[]): Map<string, JudgedMark[]> {
  const isActive = judgeOf(statementsOf(records));
  const marks = new Map<string, JudgedMark[]>();
  for (const { record: mark, trust } of records) {
    if (mark.kind !== 'mark' || mark.type === 'undo') continue;
    for (const target of new Set(mark.targets)) {
      const known = marks.get(target) ?? [];
      known.push({ mark, trust, active: isActive(mark, trust, target) });
      marks.set(target, known);
    }
  }
  return marks;
}

/** What records say of others. */
export function statementsOf(records: KnownRecord[]): Spoken[] {
  return records.map(({ record, trust }) => ({ statement: record, trust }));
}

/** Everything that leads on from a start, nearest first; circles end. */
function reached(start: string, next: (id: string) => string[]): string[] {
  const seen = new Set([start]);
  for (const id of seen) for (const further of next(id)) seen.add(further);
  return [...seen].slice(1);
}

function promptOf(own: MemoryRecord | undefined, others: KnownRecord[]): Prompt | undefined {
  if (own?.session === undefined || own.prompt_number === undefined) return undefined;
  const { session, prompt_number } = own;
  for (const { record } of others) {
    if (record.kind === 'prompt' && record.session === session && record.prompt_number === prompt_number) return record;
  }
  return undefined;
}

function names(record: MemoryRecord, id: string): boolean {
  const words = new RegExp(`(?<![0-9a-z])${id}(?![0-9a-z])`);
  return textsOf(record).some((text) => words.test(text));
}

function textsOf(record: MemoryRecord): string[] {
  switch (record.kind) {
    case 'observation':
      return [record.title, record.subtitle ?? '', record.narrative, ...record.facts, ...record.supersedes];
    case 'summary': {
      const { title, request, investigated, learned, completed, next_steps, notes, supersedes } = record;
      return [title, request, investigated, learned, completed, next_steps, notes, ...supersedes];
    }
    case 'mark':
      return [record.reason];
    case 'prompt':
      return [record.text];
    default:
      return record satisfies never;
  }
}
