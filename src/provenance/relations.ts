import type { EffectiveState, Statement } from '../memory/marks.ts';
import { isContent, type Mark, type MemoryRecord, type Prompt } from '../memory/record.ts';
import { textsOf, withheld } from '../memory/redaction.ts';
import type { Entry } from '../memory/store/source.ts';
import type { Trust } from './levels.ts';
import { isTrusted, type WithTrust } from './trust.ts';

/** A judged record: how far it is trusted, and its state by the trusted statements of others. */
export interface Judged<R extends MemoryRecord = MemoryRecord> {
  record: R;
  entry: Entry;
  trust: Trust;
  state: EffectiveState;
}

/** How other records relate to one. */
export interface Relations<J extends Judged = Judged> {
  /** Other observations and summaries of its session, oldest first. */
  session: J[];
  /** The user's prompt, if the private store has it; never for a redacted record, because it may contain the same text. */
  prompt?: Prompt;
  /** Ids of the records that it replaces, directly or through others, nearest first; some records may not be here. */
  supersedes: string[];
  /** Ids of the records that replace it, likewise. */
  superseded_by: string[];
  marks: JudgedMark[];
  /** Observations and summaries that name its id. */
  cited_by: J[];
}

export interface JudgedMark {
  mark: Mark;
  trust: Trust;
  /** It is trusted, and no trusted undo has undone it. */
  active: boolean;
}

/** What a record says about others, and its trust: all that is read of most records. */
export type JudgedStatement = WithTrust<{ record: Statement; entry: Entry }>;

/** What other records say about a record, or have in common with it; `judged`: all records' statements about others. */
export function relationsOf<J extends Judged>(
  id: string,
  records: J[],
  judged: JudgedStatement[] = records,
): Relations<J> {
  const known = records.find(({ record }) => record.id === id);
  const own = known?.record;
  const others = records.filter(({ record }) => record.id !== id);
  const sessionRecords = others.filter(({ record }) => isContent(record));
  const pairs = replacementsIn(judged);
  const prompt = known?.state.redacted ? undefined : promptOf(own, others);
  return {
    session: sessionRecords
      .filter(({ record }) => own?.session !== undefined && record.session === own.session)
      .reverse(),
    ...(prompt && { prompt }),
    supersedes: reached(id, (at) => pairs.flatMap(({ old, by }) => (by === at ? [old] : []))),
    superseded_by: reached(id, (at) => pairs.flatMap(({ old, by }) => (old === at ? [by] : []))),
    marks: marksByTarget(records, judged).get(id) ?? [],
    cited_by: sessionRecords.filter(({ record }) => names(record, id)),
  };
}

/** Returns a function that says whether a mark is active on a record: marks and undos count only if they are trusted. */
function judgeOf(judged: JudgedStatement[]): (mark: { id: string }, trust: Trust, target: string) => boolean {
  const undone = new Set(
    judged.flatMap(({ record, trust }) =>
      record.kind === 'mark' && record.type === 'undo' && isTrusted(trust) ? record.targets : [],
    ),
  );
  return (mark, trust, target) => isTrusted(trust) && !undone.has(mark.id) && !undone.has(target);
}

/** Which record replaces which, by trusted records and active marks. */
export function replacementsIn(judged: JudgedStatement[]): { old: string; by: string }[] {
  const isActive = judgeOf(judged);
  return judged.flatMap(({ record, trust }) => {
    if (!isTrusted(trust) || record.kind === 'prompt') return [];
    if (record.kind !== 'mark') return record.supersedes.map((old) => ({ old, by: record.id }));
    const { by, type, targets } = record;
    if (type !== 'supersede' || by === undefined) return [];
    return targets.filter((old) => isActive(record, trust, old)).map((old) => ({ old, by }));
  });
}

/** The marks on each record, by its id; `judged` as in `relationsOf`. */
export function marksByTarget(records: Judged[], judged: JudgedStatement[] = records): Map<string, JudgedMark[]> {
  const isActive = judgeOf(judged);
  const marks = new Map<string, JudgedMark[]>();
  for (const { record, trust, state } of records) {
    const mark = state.redacted ? withheld(record) : record;
    if (mark.kind !== 'mark' || mark.type === 'undo') continue;
    for (const target of new Set(mark.targets)) {
      const known = marks.get(target) ?? [];
      known.push({ mark, trust, active: isActive(mark, trust, target) });
      marks.set(target, known);
    }
  }
  return marks;
}

/** Everything reachable from a start, nearest first; circles are followed once. */
function reached(start: string, next: (id: string) => string[]): string[] {
  const seen = new Set([start]);
  for (const id of seen) for (const further of next(id)) seen.add(further);
  return [...seen].slice(1);
}

function promptOf(own: MemoryRecord | undefined, others: Judged[]): Prompt | undefined {
  if (own?.session === undefined || own.prompt_number === undefined) return undefined;
  const { session, prompt_number } = own;
  for (const { record, state } of others) {
    if (
      record.kind === 'prompt' &&
      !state.redacted &&
      record.session === session &&
      record.prompt_number === prompt_number
    )
      return record;
  }
  return undefined;
}

export function names(record: MemoryRecord, id: string): boolean {
  const words = new RegExp(`(?<![0-9a-z])${id}(?![0-9a-z])`);
  const replaced = isContent(record) ? record.supersedes : [];
  return [...textsOf(record), ...replaced].some((text) => words.test(text));
}
