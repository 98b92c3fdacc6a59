import type { Mark, MemoryRecord } from './record.ts';

/** What all marks together say of one record. */
export interface EffectiveState {
  superseded_by: string[];
  retired: boolean;
  redacted: boolean;
  pinned: boolean;
  verified: boolean;
  /** One of several live records that replace the same record differently. */
  disputed: boolean;
}

/** The state of every record that some mark or some `supersedes` speaks of. */
export interface EffectiveStates {
  of(id: string): EffectiveState;
}

/**
 * Folds marks and `supersedes` into states. It is a fold over a set: neither order nor clock plays a part, so every
 * merge order gives the same memory. An `undo` takes out the marks it names, and for a record all marks on it;
 * an undo cannot be undone.
 */
export function foldMarks(records: Iterable<MemoryRecord>): EffectiveStates {
  const marks: Mark[] = [];
  const replacements = new Map<string, Set<string>>();
  for (const record of records) {
    if (record.kind === 'mark') marks.push(record);
    else if (record.kind !== 'prompt') for (const old of record.supersedes) add(replacements, old, record.id);
  }
  const undone = new Set(marks.filter((mark) => mark.type === 'undo').flatMap((mark) => mark.targets));
  const said = new Map<string, Set<string>>();
  for (const mark of marks) {
    if (mark.type === 'undo' || undone.has(mark.id)) continue;
    for (const target of mark.targets) {
      if (undone.has(target)) continue;
      add(said, mark.type, target);
      if (mark.type === 'supersede' && mark.by !== undefined) add(replacements, target, mark.by);
    }
  }
  const says = (type: string, id: string) => said.get(type)?.has(id) ?? false;
  const hidden = (id: string) => says('retire', id) || says('redact', id);
  const isSuperseded = (id: string) => replacements.has(id) || says('supersede', id);
  const disputed = new Set<string>();
  for (const heads of replacements.values()) {
    // Live heads of one record: replaced themselves they argue no longer.
    const live = [...heads].filter((head) => !isSuperseded(head) && !hidden(head));
    if (live.length > 1) for (const head of live) disputed.add(head);
  }
  return {
    of: (id) => ({
      superseded_by: [...(replacements.get(id) ?? [])].sort(),
      retired: says('retire', id),
      redacted: says('redact', id),
      pinned: says('pin', id),
      verified: says('verify', id),
      disputed: disputed.has(id),
    }),
  };
}

/** Tells whether a record is out of the effective memory: superseded, retired or redacted. */
export function isHidden(state: EffectiveState): boolean {
  return state.superseded_by.length > 0 || state.retired || state.redacted;
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}
