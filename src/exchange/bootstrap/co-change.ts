import { LIMITS } from '../../memory/record.ts';
import { grouped } from '../../quantities.ts';
import { evidence, type Finding } from './finding.ts';
import type { Commit, History } from './history.ts';
import { folderOf, isChronicle, isNoise, isProse, isSource, isTest, stemOf } from './path-kinds.ts';
import { shortPaths } from './wording.ts';

/** Commits with more files than this change everything at once and say nothing about any two of them. */
const BULK = 20;

/** Fewer commits together may be chance, and a smaller share of the first file's commits advises nobody. */
const LEAST_SUPPORT = 5;
const LEAST_CONFIDENCE = 0.7;

/**
 * How much likelier than by chance the second file must change: a file that changes often goes along with everything.
 */
const LEAST_LIFT = 4;

/** Years within which the two still changed together: a link of long ago helps nobody. */
const RECENT_SECONDS = 3 * 365.25 * 86_400;
const LEAST_RECENT = 2;

type Changes = ReadonlyMap<string, { commit: Commit }[]>;

interface Pair {
  /** A commit that changes this... */
  cause: string;
  /** ... changed this too. */
  effect: string;
  /** Newest first. */
  together: Commit[];
  causeChanges: number;
  likeness: number;
}

/**
 * Files of different folders that change together: a link that no import shows. Names are taken as they are today and
 * not followed through renames, so that `git log` of a path gives the same count.
 */
export function findCoChanges(history: History): Finding[] {
  const baskets = history.commits.map((commit) => {
    const paths = [...new Set(commit.files.flatMap(({ name, before }) => [name, before]))];
    return { commit, paths: paths.filter((path) => isWorthNaming(path, history)).sort() };
  });
  const changes: Changes = grouped(
    baskets.flatMap(({ commit, paths }) => paths.map((path) => ({ commit, path }))),
    ({ path }) => path,
  );
  const isFrequent = (path: string) => (changes.get(path)?.length ?? 0) >= LEAST_SUPPORT;
  const together = new Map<string, number>();
  for (const { commit, paths } of baskets) {
    if (commit.files.length > BULK) continue;
    for (const key of pairsIn(paths.filter(isFrequent))) together.set(key, (together.get(key) ?? 0) + 1);
  }
  const pairs = [...together].flatMap(([key, support]) => pairOf(key, support, changes, history) ?? []);
  pairs.sort((a, b) => weightOf(b) - weightOf(a) || (a.cause + a.effect < b.cause + b.effect ? -1 : 1));
  const used = new Set<string>();
  return pairs
    .filter(
      ({ cause, effect }) => ![cause, effect].some((path) => used.has(path)) && used.add(cause) && used.add(effect),
    )
    .map(findingOf);
}

/** Tells whether a file is worth naming: tests change with the code they test, and change logs with everything. */
function isWorthNaming(path: string, { tree }: History): boolean {
  return tree.has(path) && ![isNoise, isChronicle, isTest].some((leaves) => leaves(path));
}

/** The pairs of files of one commit that no folder or name explains. */
function pairsIn(paths: string[]): string[] {
  return paths.flatMap((a, i) => paths.slice(i + 1).flatMap((b) => (isExpected(a, b) ? [] : [`${a}\0${b}`])));
}

/**
 * Neighbours in one folder, files with the same name, two pages of the manual, or nothing that runs: not worth a
 * record.
 */
function isExpected(a: string, b: string): boolean {
  const isFar = folderOf(a) !== folderOf(b) && stemOf(a) !== stemOf(b);
  return !isFar || (isProse(a) && isProse(b)) || (!isSource(a) && !isSource(b));
}

function pairOf(key: string, support: number, changes: Changes, history: History): Pair | undefined {
  if (support < LEAST_SUPPORT) return undefined;
  const [a = '', b = ''] = key.split('\0');
  const commitsOf = (path: string) => (changes.get(path) ?? []).map(({ commit }) => commit);
  const [ofA, ofB] = [commitsOf(a), commitsOf(b)];
  const [cause, effect, few, many] = ofA.length <= ofB.length ? [a, b, ofA, ofB] : [b, a, ofB, ofA];
  const inMany = new Set(many);
  const together = few.filter((commit) => inMany.has(commit));
  const confidence = together.length / few.length;
  const lift = confidence / (many.length / history.commits.length);
  const recent = together.filter(({ seconds }) => history.head.seconds - seconds <= RECENT_SECONDS);
  if (confidence < LEAST_CONFIDENCE || lift < LEAST_LIFT || recent.length < LEAST_RECENT) return undefined;
  const likeness = together.length / (few.length + many.length - together.length);
  return { cause, effect, together, causeChanges: few.length, likeness };
}

function weightOf({ together, causeChanges, likeness }: Pair): number {
  return 0.3 + 0.2 * (together.length / causeChanges) + 0.15 * likeness + Math.min(0.1, together.length / 200);
}

const TITLE = ['Change ', ' together with '] as const;

function findingOf(pair: Pair): Finding {
  const { cause, effect, together, causeChanges } = pair;
  const commits = together.slice(0, 4);
  return {
    pattern: 'co-change',
    subject: [cause, effect].sort().join('\0'),
    support: together.length,
    weight: weightOf(pair),
    commits,
    incident: [],
    textWith(cite) {
      const [one, other] = shortPaths(cause, effect, LIMITS.title - TITLE.join('').length);
      return {
        type: 'discovery',
        title: `${TITLE[0]}${one}${TITLE[1]}${other}`,
        narrative:
          `When you change ${cause}, look whether ${effect} has to follow: of ${causeChanges} commits that changed it, merges aside, ${together.length} changed both.` +
          ` \`git log --full-history --no-merges -- ${cause}\` lists them.`,
        facts: commits.map((commit) => evidence(cite(commit))),
        concepts: ['co-change', 'gotcha'],
        files_modified: [],
        files_read: [cause, effect],
      };
    },
  };
}
