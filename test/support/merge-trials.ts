import fc from 'fast-check';
import { MARK_TYPES, type MarkType } from '../../src/memory/record.ts';

/** One operation of git-mem on a store. Its numbers select among what exists when it runs. */
export type Operation =
  | { do: 'add'; topic: number; instant: number }
  | { do: 'capture'; event: number; wording: number }
  | { do: 'summarise'; session: number; instant: number }
  | { do: 'promote'; which: number }
  | { do: 'mark'; type: MarkType; targets: number[]; by: number; reason: number; instant: number };

/** A line of commits. `from` chooses, among all commits made so far, where it starts. */
export interface Branch {
  from: number;
  commits: Operation[][];
  /** Committed in a clone with `core.autocrlf=true`. */
  autocrlf: boolean;
}

export const WAYS = ['merge', 'octopus', 'rebase', 'squash', 'cherry-pick'] as const;

/** One way to bring all branches together; `order` sorts them. */
export interface Join {
  way: (typeof WAYS)[number];
  order: number[];
  /** Settings of the clone it is done in. */
  config: string[];
}

/** A repository's history, and several ways to bring its branches together. The first branch is the default one. */
export interface Trial {
  initial: Operation[];
  branches: Branch[];
  joins: Join[];
}

const few = (max: number) => fc.nat({ max });

const anyMark: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('mark' as const),
  type: fc.constantFrom(...MARK_TYPES),
  targets: fc.array(few(9), { minLength: 1, maxLength: 3 }),
  by: few(9),
  reason: few(2),
  instant: few(5),
});

const anyNews: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), topic: few(11), instant: few(5) }),
  fc.record({ do: fc.constant('capture' as const), event: few(7), wording: few(2) }),
  fc.record({ do: fc.constant('summarise' as const), session: few(2), instant: few(5) }),
  fc.record({ do: fc.constant('promote' as const), which: few(3) }),
);

const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: anyNews },
  { weight: 4, arbitrary: anyMark },
);

const commitsOf = (operation: fc.Arbitrary<Operation>) =>
  fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

const anyBranch = (operation: fc.Arbitrary<Operation>): fc.Arbitrary<Branch> =>
  fc.record({ from: few(12), commits: commitsOf(operation), autocrlf: fc.boolean() });

const anyJoin: fc.Arbitrary<Join> = fc.record({
  way: fc.constantFrom(...WAYS),
  order: fc.array(few(99), { minLength: 5, maxLength: 5 }),
  config: fc
    .tuple(
      fc.constantFrom([], ['merge.directoryRenames=true'], ['merge.directoryRenames=conflict']),
      fc.constantFrom([], ['core.autocrlf=true']),
    )
    .map((settings) => settings.flat()),
});

/** Trials of two to five branches, joined in two to four ways. */
export const anyTrial: fc.Arbitrary<Trial> = fc.record({
  initial: fc.array(anyOperation, { minLength: 3, maxLength: 8 }),
  branches: fc.array(anyBranch(anyOperation), { minLength: 2, maxLength: 5 }),
  joins: fc.array(anyJoin, { minLength: 2, maxLength: 4 }),
});
