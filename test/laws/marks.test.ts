import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldMarks, isHidden } from '../../src/memory/marks.ts';
import { MARK_TYPES, type Mark, type MarkType, type MemoryRecord } from '../../src/memory/record.ts';
import { runs } from '../support/trials.ts';
import { markOf, observationOf } from '../support/written-records.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(10));
const [A = '', B = '', C = '', D = '', E = ''] = IDS;
const MARK_IDS = ['m', 'n', 'p', 'q'].map((letter) => letter.repeat(10));

const anyMark = fc
  .record({
    // A mark may bear the id of a record.
    id: fc.constantFrom(...MARK_IDS, ...IDS),
    // What makes heads, disputes and circles comes more often than the rest.
    type: fc.oneof(fc.constantFrom(...MARK_TYPES), fc.constantFrom<MarkType>('supersede', 'undo')),
    targets: fc.array(fc.constantFrom(...IDS, ...MARK_IDS), { minLength: 1, maxLength: 3 }),
    by: fc.constantFrom(...IDS),
  })
  .map(({ id, type, targets, by }) => mark(id, type, targets, by));
const anyObservation = fc
  .record({ id: fc.constantFrom(...IDS), supersedes: fc.array(fc.constantFrom(...IDS), { maxLength: 2 }) })
  .map(({ id, supersedes }) => observation(id, supersedes));
const anyMemory = fc.array(fc.oneof(anyMark, anyObservation), { maxLength: 14 });

/** Every permutation of a few things. */
function permutations<T>(things: T[]): T[][] {
  if (things.length < 2) return [things];
  return things.flatMap((first, i) => permutations(things.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));
}

/** What every record and every mark is, as one value. */
function effective(records: MemoryRecord[]) {
  const states = foldMarks(records);
  return [...IDS, ...MARK_IDS].map((id) => states.of(id));
}

describe('law: the effective memory is the same in every merge order', () => {
  it('for every permutation of a few records and marks', () => {
    const few = fc.array(fc.oneof(anyMark, anyObservation), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(few, (records) => {
        const expected = effective(records);
        for (const order of permutations(records)) expect(effective(order)).toEqual(expected);
      }),
      runs(150),
    );
  });

  it('for every order in which branches with copies of the same records are merged', () => {
    // Each branch has its own choice of the memory, in its own order: what a merge brings twice is there twice.
    const branches = anyMemory.chain((all) =>
      fc.tuple(fc.constant(all), fc.array(fc.shuffledSubarray(all), { minLength: 1, maxLength: 3 })),
    );
    fc.assert(
      fc.property(branches, ([all, some]) => {
        const expected = effective(all);
        for (const order of permutations([all, ...some])) expect(effective(order.flat())).toEqual(expected);
      }),
      runs(150),
    );
  });

  it('whenever the records were written', () => {
    fc.assert(
      fc.property(anyMemory, fc.date({ noInvalidDate: true }), (records, date) => {
        const generated = { by: 'cli', at: date.toISOString() };
        expect(effective(records.map((record) => ({ ...record, generated })))).toEqual(effective(records));
      }),
      runs(100),
    );
  });

  it('and no records disappear because they only refer to each other', () => {
    // Without retire and redact a memory of records that supersede each other keeps at least one of them.
    const speaking = fc.array(anyObservation, { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(speaking, (records) => {
        const states = foldMarks(records);
        expect(records.some(({ id }) => !isHidden(states.of(id)))).toBe(true);
      }),
      runs(500),
    );
  });

  it('and a disputed record is live, and never the only one', () => {
    fc.assert(
      fc.property(anyMemory, (records) => {
        const states = foldMarks(records);
        const disputed = IDS.filter((id) => states.of(id).disputed);
        expect(disputed.filter((id) => isHidden(states.of(id)))).toEqual([]);
        expect(disputed.length).not.toBe(1);
      }),
      runs(500),
    );
  });
});

describe('law: branches that supersede a record differently are disputed until a third record names both', () => {
  it.each([
    ['records', [observation(B, [A])], [observation(C, [A])]],
    ['marks', [observation(B), mark('m1', 'supersede', [A], B)], [observation(C), mark('m2', 'supersede', [A], C)]],
    ['a record and a mark', [observation(B, [A])], [observation(C), mark('m2', 'supersede', [A], C)]],
  ])('by %s', (_, ours, theirs) => {
    for (const order of permutations([observation(A), ...ours, ...theirs])) {
      const states = foldMarks(order);
      expect([A, B, C].map((id) => states.of(id).disputed)).toEqual([false, true, true]);
      expect([A, B, C].map((id) => isHidden(states.of(id)))).toEqual([true, false, false]);
      expect(states.of(A).superseded_by).toEqual([B, C]);
      const one = foldMarks([...order, observation(D, [B])]);
      expect(
        [A, B, C, D].map((id) => one.of(id).disputed),
        'D answers one of them only',
      ).toEqual([...[false, false, true, true]]);
      const both = foldMarks([...order, observation(D, [B, C])]);
      expect([A, B, C, D].map((id) => both.of(id).disputed)).toEqual([false, false, false, false]);
      expect(both.of(B).superseded_by).toEqual([D]);
      expect([A, B, C, D].map((id) => isHidden(both.of(id)))).toEqual([true, true, true, false]);
    }
  });
});

describe('records that supersede each other', () => {
  const circle = [observation(A, [B]), observation(B), mark('m1', 'supersede', [A], B)];

  it.each([
    ['two branches by a record and a mark', circle, [A, B]],
    ['two records', [observation(A, [B]), observation(B, [A])], [A, B]],
    [
      'three marks',
      [mark('m1', 'supersede', [A], B), mark('m2', 'supersede', [B], C), mark('m3', 'supersede', [C], A)],
      [A, B, C],
    ],
  ])('are all live and disputed: %s', (_, records, members) => {
    for (const order of permutations(records)) {
      const states = foldMarks(order);
      for (const id of members) expect(states.of(id)).toMatchObject({ superseded_by: [], disputed: true });
    }
  });

  it('still hide what they supersede outside the cycle', () => {
    const states = foldMarks([...circle, observation(C), mark('m2', 'supersede', [C], A)]);
    expect(states.of(C)).toMatchObject({ superseded_by: [A], disputed: false });
  });

  it('agree when a third record names all of them, or the others are retired', () => {
    const named = foldMarks([...circle, observation(C, [A, B])]);
    expect([A, B, C].map((id) => isHidden(named.of(id)))).toEqual([true, true, false]);
    expect(named.of(C).disputed).toBe(false);
    const retired = foldMarks([...circle, mark('m2', 'retire', [B])]);
    expect(retired.of(A)).toMatchObject({ superseded_by: [], disputed: false });
  });

  it('dispute a record that replaces only one of them', () => {
    const states = foldMarks([...circle, observation(C, [A])]);
    expect([A, B, C].map((id) => states.of(id).disputed)).toEqual([false, true, true]);
  });

  it('are ordered again when one mark is undone', () => {
    const states = foldMarks([...circle, mark('m2', 'undo', ['m1'])]);
    expect(states.of(B)).toMatchObject({ superseded_by: [A], disputed: false });
    expect(isHidden(states.of(A))).toBe(false);
  });

  it('do not hide a record that names itself', () => {
    expect(foldMarks([observation(A, [A])]).of(A)).toMatchObject({ superseded_by: [], disputed: false });
  });
});

describe('a superseded record', () => {
  const replaced = [observation(A), observation(B, [A])];

  it.each(['retire', 'redact'] as const)('does not come back when its successor has a %s mark', (type) => {
    for (const order of permutations([...replaced, mark('m1', type, [B])])) {
      expect(foldMarks(order).of(A)).toMatchObject({ superseded_by: [B], disputed: false });
    }
  });

  it('does not come back when its successor is superseded too', () => {
    expect(foldMarks([...replaced, observation(E, [B])]).of(A).superseded_by).toEqual([B]);
  });

  it('comes back when it supersedes its own successor, which is retired', () => {
    const states = foldMarks([...replaced, mark('m1', 'supersede', [B], A), mark('m2', 'retire', [B])]);
    expect(isHidden(states.of(A))).toBe(false);
    expect(states.of(A).disputed).toBe(false);
    expect(isHidden(states.of(B))).toBe(true);
  });
});

describe('the fold', () => {
  it('keeps the last of a series in which each record supersedes all earlier ones', () => {
    const ids = Array.from({ length: 400 }, (_, i) => `i${i}`);
    const states = foldMarks(ids.map((id, i) => observation(id, ids.slice(0, i))));
    expect(ids.filter((id) => !isHidden(states.of(id)))).toEqual([ids.at(-1)]);
    expect(states.of(ids.at(-1) ?? '').disputed).toBe(false);
  });

  it('follows a long chain and a long cycle without a stack overflow', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => `i${i}`);
    const chain = ids.map((id, i) => observation(id, i === 0 ? [] : [ids[i - 1] ?? '']));
    const states = foldMarks(chain);
    expect(ids.filter((id) => !isHidden(states.of(id)))).toEqual([ids.at(-1)]);
    const closed = foldMarks([...chain, mark('m1', 'supersede', [ids.at(-1) ?? ''], ids[0])]);
    expect(ids.every((id) => closed.of(id).disputed)).toBe(true);
  });
});

function mark(id: string, type: MarkType, targets: string[], by?: string): Mark {
  return markOf({ id, type, targets, ...(by !== undefined && { by }) });
}

function observation(id: string, supersedes: string[] = []): MemoryRecord {
  return observationOf({ id, supersedes });
}
