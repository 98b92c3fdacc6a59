import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFileName } from '../../src/memory/file-name.ts';
import type { Mark } from '../../src/memory/record.ts';
import { gitIn } from '../support/merge-joins.ts';
import { type MergeStore, oneFile, recordStore, statusInPlace } from '../support/merge-stores.ts';
import { anyTrial, type Join, type Operation, type Trial, WAYS } from '../support/merge-trials.ts';
import { blobsOf, effectiveMemory, type Outcome, playTrial } from '../support/merged-memory.ts';
import { createRepository } from '../support/repository.ts';
import { runs, trials } from '../support/trials.ts';
import { put } from '../support/written-records.ts';

/** What is rare among generated histories, so that no run goes without it: two wordings of one event. */
const RARE: [Trial][] = [[{ ...rare({ do: 'capture', event: 1, wording: 0 }), joins: joinsBy(...WAYS) }]];

describe('law: merging never conflicts', () => {
  it(`in ${trials(40)} histories, whichever way their branches are joined`, async () => {
    const repository = createRepository();
    const sum = { histories: 0, twins: 0, joins: 0, conflicts: 0 };
    const ways: Record<string, number> = Object.fromEntries(WAYS.map((way) => [way, 0]));
    const property = fc.asyncProperty(anyTrial, async (trial) => {
      const outcome = await playTrial(repository, recordStore, trial);
      sum.histories++;
      if (hasTwins(outcome)) sum.twins++;
      sum.joins += outcome.joined.length;
      sum.conflicts += outcome.joined.filter(({ conflict }) => conflict !== undefined).length;
      for (const { way } of trial.joins) ways[way] = (ways[way] ?? 0) + 1;
      expectLaw(outcome);
    });
    // Not shrunk: a trial is small, and the failure names the seed and the path to it.
    await fc.assert(property, { ...runs(40), examples: RARE, endOnFailure: true });
    console.log(`Merging: ${JSON.stringify({ ...sum, ways })}`);
    // What is rare by itself has to have happened, or it was not tried.
    expect(Math.min(sum.twins, ...Object.values(ways))).toBeGreaterThan(0);
  });
});

/** The default branch does one thing to a memory of three records, while another words the same event otherwise. */
function rare(operation: Operation): Omit<Trial, 'joins'> {
  const captured: Operation = { do: 'capture', event: 1, wording: 1 };
  return {
    initial: [0, 1, 2].map((topic) => ({ do: 'add', topic, instant: topic })),
    branches: [
      { from: 0, commits: [[operation]], autocrlf: false },
      { from: 0, commits: [[captured]], autocrlf: true },
    ],
  };
}

function joinsBy(...ways: Join['way'][]): Join[] {
  return ways.map((way) => ({ way, order: [0, 1, 2, 3, 4], config: [] }));
}

function expectLaw({ joined, tips, ever, clashes }: Outcome): void {
  const expected = effectiveMemory(ever);
  const blobs = blobsOf(tips);
  for (const { way, conflict, status, files = {}, blobs: committed } of joined) {
    expect({ way, conflict, status }).toEqual({ way, status: '' });
    expect(Object.keys(files).filter((path) => files[path]?.includes('\r'))).toEqual([]);
    expect({ way, memory: effectiveMemory(files) }).toEqual({ way, memory: expected });
    // All that any branch holds is there, byte for byte.
    expect({ way, blobs: committed }).toEqual({ way, blobs });
  }
  expect(clashes).toEqual([]);
}

/** Tells whether two branches hold one id with different content. */
function hasTwins({ tips }: Outcome): boolean {
  const ids = Object.keys(tips).flatMap((path) => parseFileName(path)?.id ?? []);
  return new Set(ids).size < ids.length;
}

describe('the same histories', () => {
  it.each<[string, MergeStore]>([
    [oneFile.name, oneFile],
    [statusInPlace.name, statusInPlace],
  ])('conflict in a store of %s', async (_, store) => {
    const repository = createRepository();
    // Always the same ones: this counts conflicts, until there are enough, and searches for nothing.
    const histories = fc.sample(anyTrial, { numRuns: 6, seed: 1 });
    const enough = histories.length / 3;
    let conflicts = 0;
    for (const trial of histories) {
      if (conflicts > enough) break;
      const { joined } = await playTrial(repository, store, trial);
      if (joined.some(({ conflict }) => conflict?.includes('CONFLICT'))) conflicts++;
    }
    expect(conflicts).toBeGreaterThan(enough);
  });
});

describe('renames that git infers', () => {
  /** Where each of `history` is a commit of one mark, and all marks differ in their ids and times only. */
  function historyOf(...history: [branch: string, id: string, day: string][]) {
    const repository = createRepository();
    const git = gitIn(repository.root, repository.env);
    const add = (id: string, day: string) => {
      put(repository, alike(id, day));
      git('add', '--all');
      git('commit', '--quiet', '--message', id);
    };
    for (const [branch, id, day] of history) {
      git('checkout', '--quiet', '-B', branch);
      add(id, day);
    }
    git('checkout', '--quiet', 'main');
    const ids = () => git('ls-files', '.memory').match(/[ab-d]{10}(?=\.md)/g);
    return { git, add, ids };
  }

  /** `side` adds to a month whose only mark `main` takes away when it adds a mark so like it that git sees a rename. */
  function emptiedMonth(otherDay: string) {
    const { git, add, ids } = historyOf(['main', A, '2026-01-05'], ['side', B, '2026-01-09']);
    git('rm', '--quiet', '-r', '.memory');
    add(D, otherDay);
    expect(git('show', '--format=', '--name-status', '--find-renames', 'HEAD')).toMatch(/^R\d/);
    return { merge: () => git('merge', '--quiet', '--no-edit', 'side'), ids };
  }

  it('move nothing while a month keeps a file', () => {
    const { merge, ids } = emptiedMonth('2026-01-31');
    merge();
    expect(ids()).toEqual([B, D]);
  });

  it('conflict where a month’s folder becomes empty, so nothing may do that', () => {
    expect(emptiedMonth('2026-02-01').merge).toThrow(/CONFLICT \(file location\)/);
  });

  it('stop a single commit cherry-picked from the middle of a month that the target lacks, unless directories stay', () => {
    const { git, add, ids } = historyOf(
      ['main', A, '2026-01-05'],
      ['side', B, '2026-03-01'],
      ['side', C, '2026-03-02'],
    );
    add(D, '2026-04-01');
    expect(() => git('cherry-pick', 'side')).toThrow(/CONFLICT \(file location\)/);
    git('cherry-pick', '--abort');
    git('-c', 'merge.directoryRenames=false', 'cherry-pick', 'side');
    expect(ids()).toEqual([A, C, D]);
  });
});

const [A, B, C, D] = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd'] as const;

const alike = (id: string, day: string): Mark => ({
  id,
  kind: 'mark',
  type: 'retire',
  targets: ['k3v9x2qd7m'],
  generated: { by: 'cli', at: `${day}T00:00:00Z` },
  reason: 'The importer was rewritten, and what this says of its limits does not hold any more. '.repeat(3),
});
