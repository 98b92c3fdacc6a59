import { evidence, type Finding } from './finding.ts';
import { isFix } from './fix-words.ts';
import type { Commit, History } from './history.ts';
import { isSource } from './path-kinds.ts';
import { percent, shortPath, spanOf } from './wording.ts';

const LEAST_CHANGES = 10;
const LEAST_FIXES = 5;
const LEAST_SHARE = 0.4;

/** How much oftener than the whole history's changes those of the file have to be fixes. */
const LEAST_EXCESS = 1.5;

/** Commits with more files than this are no work on any one of them. */
const BULK = 30;

/** Files most of whose changes mend something. */
export function findHotSpots(history: History): Finding[] {
  const commits = history.commits.filter(({ files }) => files.length <= BULK);
  const changes = new Map<string, Commit[]>();
  let all = 0;
  let allFixes = 0;
  for (const commit of commits) {
    const paths = new Set(commit.files.map(({ path }) => path).filter((path) => isSource(path)));
    all += paths.size;
    if (isFix(commit.subject)) allFixes += paths.size;
    for (const path of paths) {
      const known = changes.get(path);
      if (known) known.push(commit);
      else changes.set(path, [commit]);
    }
  }
  const usual = all === 0 ? 1 : allFixes / all;
  return [...changes].flatMap(([path, some]) => {
    const fixes = some.filter(({ subject }) => isFix(subject));
    const share = fixes.length / some.length;
    const isHot = some.length >= LEAST_CHANGES && fixes.length >= LEAST_FIXES && share >= LEAST_SHARE;
    if (!isHot || share < usual * LEAST_EXCESS || !history.tree.has(path)) return [];
    return [findingOf({ path, changes: some, fixes, usual })];
  });
}

function findingOf({
  path,
  changes,
  fixes,
  usual,
}: {
  path: string;
  changes: Commit[];
  fixes: Commit[];
  usual: number;
}): Finding {
  const commits = fixes.slice(0, 5);
  const share = fixes.length / changes.length;
  const span = spanOf(Math.max(0, (fixes[0]?.seconds ?? 0) - (fixes.at(-1)?.seconds ?? 0)));
  return {
    pattern: 'hot-spot',
    subject: path,
    support: fixes.length,
    weight: 0.4 + 0.3 * share + Math.min(0.25, fixes.length / 80),
    commits,
    tell: (cite) => ({
      type: 'discovery',
      title: `${shortPath(path, 44)}: ${fixes.length} of its ${changes.length} changes were fixes`,
      narrative:
        `${fixes.length} of the ${changes.length} commits that changed ${path} say in their subject that they fix something (${percent(share)}), over ${span}. ` +
        `In the whole history it is ${percent(usual)} of the changes to code files.`,
      facts: commits.map((commit) => evidence(cite(commit))),
      concepts: ['hot-spot', 'gotcha'],
      files_modified: [],
      files_read: [path],
    }),
  };
}
