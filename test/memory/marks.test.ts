import { describe, expect, it } from 'vitest';
import { foldMarks, isHidden } from '../../src/memory/marks.ts';
import type { Mark, MarkType, MemoryRecord } from '../../src/memory/record.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const [A = '', B = '', C = ''] = ['a', 'b', 'c'].map((letter) => letter.repeat(10));

describe('a record', () => {
  const stateOf = (id: string, ...records: MemoryRecord[]) => foldMarks(records).of(id);

  it('without marks is plainly live', () => {
    const state = stateOf(A, observation(A), mark('m1', 'retire', [B]));
    expect(state).toEqual({
      superseded_by: [],
      retired: false,
      redacted: false,
      pinned: false,
      verified: false,
      verified_by: [],
      disputed: false,
    });
    expect(isHidden(state)).toBe(false);
  });

  it.each([
    ['retire', { retired: true }, true],
    ['redact', { redacted: true }, true],
    ['pin', { pinned: true }, false],
    ['verify', { verified: true }, false],
  ] as const)('gets its state from a %s mark', (type, expected, hidden) => {
    const state = stateOf(A, observation(A), mark('m1', type, [B, A]));
    expect(state).toMatchObject(expected);
    expect(isHidden(state)).toBe(hidden);
  });

  it('is superseded by a newer record or by a mark', () => {
    expect(stateOf(A, observation(A), observation(B, [A]))).toMatchObject({ superseded_by: [B], disputed: false });
    expect(stateOf(A, observation(A), observation(B), mark('m1', 'supersede', [A], B)).superseded_by).toEqual([B]);
    expect(isHidden(stateOf(A, observation(B, [A])))).toBe(true);
  });

  it('is superseded once when both a record and a mark say so', () => {
    expect(stateOf(A, observation(B, [A]), mark('m1', 'supersede', [A], B)).superseded_by).toEqual([B]);
  });
});

describe('two branches that supersede one record differently', () => {
  const both = [observation(A), observation(B, [A]), observation(C), mark('m1', 'supersede', [A], C)];

  it('agree again when one of them supersedes, or is retired in favour of, the other', () => {
    expect(foldMarks([...both, mark('m2', 'supersede', [B], C)]).of(C).disputed).toBe(false);
    expect(foldMarks([...both, mark('m2', 'retire', [B])]).of(C).disputed).toBe(false);
  });

  it('disagree again when that is undone', () => {
    const states = foldMarks([...both, mark('m2', 'retire', [B]), mark('m3', 'undo', ['m2'])]);
    expect([states.of(B).disputed, states.of(C).disputed]).toEqual([true, true]);
  });
});

describe('an undo', () => {
  it('of a mark cancels that mark alone', () => {
    const marks = [mark('m1', 'retire', [A]), mark('m2', 'retire', [A, B]), mark('m3', 'pin', [A])];
    expect(foldMarks([...marks, mark('m4', 'undo', ['m2'])]).of(A)).toMatchObject({ retired: true, pinned: true });
    expect(foldMarks([...marks, mark('m4', 'undo', ['m2'])]).of(B).retired).toBe(false);
    expect(foldMarks([...marks, mark('m4', 'undo', ['m1', 'm2'])]).of(A)).toMatchObject({
      retired: false,
      pinned: true,
    });
  });

  it('of a supersede mark restores the old record', () => {
    const states = foldMarks([observation(A), mark('m1', 'supersede', [A], B), mark('m2', 'undo', ['m1'])]);
    expect(states.of(A).superseded_by).toEqual([]);
    expect(isHidden(states.of(A))).toBe(false);
  });

  it('of a record cancels every mark on it, and leaves other targets of those marks alone', () => {
    const states = foldMarks([mark('m1', 'retire', [A, B]), mark('m2', 'redact', [A]), mark('m3', 'undo', [A])]);
    expect(states.of(A)).toMatchObject({ retired: false, redacted: false });
    expect(states.of(B).retired).toBe(true);
  });

  it('does not affect what a record itself supersedes', () => {
    expect(foldMarks([observation(B, [A]), mark('m1', 'undo', [A])]).of(A).superseded_by).toEqual([B]);
  });

  it('cannot be undone, so that no order of undoing matters', () => {
    const states = foldMarks([mark('m1', 'retire', [A]), mark('m2', 'undo', ['m1']), mark('m3', 'undo', ['m2'])]);
    expect(states.of(A).retired).toBe(false);
  });
});

function mark(id: string, type: MarkType, targets: string[], by?: string): Mark {
  return markOf({ id, type, targets, ...(by !== undefined && { by }) });
}

function observation(id: string, supersedes: string[] = []): MemoryRecord {
  return observationOf({ id, supersedes });
}
