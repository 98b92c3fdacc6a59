import type { EffectiveStates } from '../memory/marks.ts';
import { isHidden } from '../memory/marks.ts';
import { isContent } from '../memory/record.ts';
import { tokenize } from '../recall/index/tokens.ts';
import type { FiledRecord } from './records.ts';

/** Two records that a person should compare: only a reader can tell whether they contradict each other. */
export interface Contradiction {
  filed: FiledRecord;
  other: FiledRecord;
  /** `pinned`: it is about the same as a pinned record; `disputed`: both supersede the same record. */
  reason: 'pinned' | 'disputed';
}

/** Share of the shorter title's words that both titles need if the records share no file; chosen, not measured. */
const SAME_TITLE = 0.6;
/** The same share if they share a file or two concepts, which say that the subject is one. */
const LIKE_TITLE = 0.25;

/** The added records that may contradict others, as far as that can be detected without understanding them. */
export function findContradictions(added: FiledRecord[], all: FiledRecord[], states: EffectiveStates): Contradiction[] {
  const pinned = all.filter((one) => {
    const state = states.of(one.record.id);
    return state.pinned && !isHidden(state) && isContent(one.record);
  });
  const news = new Set(added);
  const active = added.filter(({ record }) => isContent(record) && !isHidden(states.of(record.id)));
  return active.flatMap((filed) => {
    const rivals = pinned.filter((other) => !news.has(other) && isAboutTheSame(filed, other));
    const found = rivals.map((other): Contradiction => ({ filed, other, reason: 'pinned' }));
    if (!states.of(filed.record.id).disputed) return found;
    const heads = all.filter(
      (other) => other !== filed && states.of(other.record.id).disputed && isRival(filed, other),
    );
    return [...found, ...heads.map((other): Contradiction => ({ filed, other, reason: 'disputed' }))];
  });

  function isRival(a: FiledRecord, b: FiledRecord): boolean {
    return all.some(({ record }) => {
      const heads = states.of(record.id).superseded_by;
      return heads.includes(a.record.id) && heads.includes(b.record.id);
    });
  }
}

function isAboutTheSame({ record: a }: FiledRecord, { record: b }: FiledRecord): boolean {
  // A bugfix in a decision's file is everyday work; another decision about it is not.
  if (a.kind !== 'observation' || b.kind !== 'observation' || a.type !== b.type || a.type !== 'decision') return false;
  if (a.supersedes.includes(b.id) || b.supersedes.includes(a.id)) return false;
  const filesOfB = [...b.files_modified, ...b.files_read];
  const isFileShared = [...a.files_modified, ...a.files_read].some((path) => filesOfB.includes(path));
  const concepts = a.concepts.filter((concept) => b.concepts.includes(concept)).length;
  return titleOverlap(a.title, b.title) >= (isFileShared || concepts >= 2 ? LIKE_TITLE : SAME_TITLE);
}

function titleOverlap(a: string, b: string): number {
  const [one, two] = [new Set(tokenize(a)), new Set(tokenize(b))];
  const common = [...one].filter((word) => two.has(word)).length;
  return common < 2 ? 0 : common / Math.min(one.size, two.size);
}
