import { LIMITS } from '../../memory/record.ts';
import { evidence, type Finding } from './finding.ts';
import type { Commit, History } from './history.ts';
import { folderOf, isChronicle, isNoise, isProse, isTest, stemOf } from './path-kinds.ts';
import { percent, shortPaths } from './wording.ts';

/** Commits with more files than this move everything at once and say nothing of any two. */
const BULK = 30;

const LEAST_SUPPORT = 5;
const LEAST_CONFIDENCE = 0.6;

/** How much likelier than by chance a file has to come along: one that changes always comes along with everything. */
const LEAST_LIFT = 2;

/** Pairs in which one file may appear: a group that moves together is told by a few. */
const MOST_PAIRS_OF_FILE = 2;

interface Pair {
  /** Whoever changes this... */
  cause: string;
  /** ... changed this too. */
  effect: string;
  together: number;
  causeChanges: number;
  effectChanges: number;
  lift: number;
}

/** Files of different folders that change together: a link that no import shows. */
export function findCoChanges(history: History): Finding[] {
  const baskets = history.commits.map((commit) => ({ commit, paths: pathsIn(commit, history) }));
  const useful = baskets.filter(({ commit, paths }) => commit.files.length <= BULK && paths.length > 0);
  const changes = new Map<string, number>();
  for (const { paths } of useful) for (const path of paths) changes.set(path, (changes.get(path) ?? 0) + 1);
  const frequent = new Set([...changes].filter(([, n]) => n >= LEAST_SUPPORT).map(([path]) => path));
  const together = countPairs(useful.map(({ paths }) => paths.filter((path) => frequent.has(path))));
  const pairs = [...together].flatMap(([key, n]) => pairOf(key, n, changes, useful.length) ?? []);
  pairs.sort((a, b) => weightOf(b) - weightOf(a) || (a.cause + a.effect < b.cause + b.effect ? -1 : 1));
  return spread(pairs).map((pair) => findingOf(pair, useful));
}

function pathsIn({ files }: Commit, { tree }: History): string[] {
  const paths = files.filter(({ status }) => status !== 'D').map(({ path }) => path);
  // Tests come along with what they test; that they do at all is a convention.
  const isTold = (path: string) => tree.has(path) && ![isNoise, isChronicle, isTest].some((leaves) => leaves(path));
  return [...new Set(paths)].filter(isTold).sort();
}

function countPairs(baskets: string[][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const paths of baskets) {
    for (const [i, a] of paths.entries()) {
      for (const b of paths.slice(i + 1)) {
        if (isExpected(a, b)) continue;
        const key = `${a}\0${b}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Neighbours in one folder, namesakes, two pages of the manual: nobody needs to be told. */
function isExpected(a: string, b: string): boolean {
  return folderOf(a) === folderOf(b) || stemOf(a) === stemOf(b) || (isProse(a) && isProse(b));
}

function pairOf(key: string, together: number, changes: Map<string, number>, commits: number): Pair | undefined {
  if (together < LEAST_SUPPORT) return undefined;
  const [a = '', b = ''] = key.split('\0');
  const [ofA, ofB] = [changes.get(a) ?? 0, changes.get(b) ?? 0];
  const [cause, effect] = ofA <= ofB ? [a, b] : [b, a];
  const [causeChanges, effectChanges] = ofA <= ofB ? [ofA, ofB] : [ofB, ofA];
  const lift = together / causeChanges / (effectChanges / commits);
  const isStrong = together / causeChanges >= LEAST_CONFIDENCE && lift >= LEAST_LIFT;
  return isStrong ? { cause, effect, together, causeChanges, effectChanges, lift } : undefined;
}

function weightOf({ together, causeChanges, effectChanges }: Pair): number {
  const likeness = together / (causeChanges + effectChanges - together);
  return 0.35 + 0.25 * (together / causeChanges) + 0.2 * likeness + Math.min(0.2, together / 100);
}

function spread(pairs: Pair[]): Pair[] {
  const used = new Map<string, number>();
  return pairs.filter(({ cause, effect }) => {
    if ([cause, effect].some((path) => (used.get(path) ?? 0) >= MOST_PAIRS_OF_FILE)) return false;
    for (const path of [cause, effect]) used.set(path, (used.get(path) ?? 0) + 1);
    return true;
  });
}

const AND = ' and ';
const TOGETHER = ' change together';

function findingOf(pair: Pair, baskets: { commit: Commit; paths: string[] }[]): Finding {
  const { cause, effect, together, causeChanges, effectChanges } = pair;
  const shared = baskets.filter(({ paths }) => paths.includes(cause) && paths.includes(effect));
  const commits = shared.slice(0, 5).map(({ commit }) => commit);
  return {
    pattern: 'co-change',
    subject: [cause, effect].sort().join('\0'),
    support: together,
    weight: weightOf(pair),
    commits,
    tell: (cite) => ({
      type: 'discovery',
      title: `${shortPaths(cause, effect, LIMITS.title - AND.length - TOGETHER.length).join(AND)}${TOGETHER}`,
      narrative:
        `${cause} changed in ${causeChanges} commits, and in ${together} of them (${percent(together / causeChanges)}) ${effect} changed too. ` +
        `${effect} changed in ${effectChanges} commits altogether. Commits with more than ${BULK} files are not counted.`,
      facts: [
        `Together in ${together} commits, confidence ${percent(together / causeChanges)}.`,
        ...commits.map((commit) => evidence(cite(commit))),
      ],
      concepts: ['co-change', 'gotcha'],
      files_modified: [],
      files_read: [cause, effect],
    }),
  };
}
