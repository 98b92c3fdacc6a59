import type { Environment } from '../../repo/layout.ts';
import { evidence, type Finding } from './finding.ts';
import { isFix } from './fix-words.ts';
import type { Commit, History } from './history.ts';
import { readPatches } from './hunks.ts';
import { isSource } from './path-kinds.ts';
import { listed, spanOf, titled } from './wording.ts';

/** A later fix within this time belongs to the earlier one. */
const WINDOW_SECONDS = 30 * 86_400;

/** Fixes that follow within this time are the same piece of work, not a second try. */
const SAME_WORK_SECONDS = 2 * 3600;

/** Fixes whose lines are looked at, newest first, and the largest of them in files and lines. */
const MOST_FIXES = 5000;
const MOST_FILES = 15;
const MOST_LINES = 400;

/** A later fix: which of an earlier fix's lines it changed again, and where. */
interface Link {
  earlier: Commit;
  later: Commit;
  path: string;
  lines: number;
}

/** Fixes whose own lines had to be fixed again soon: what looks done and is not. Throws `git`. */
export async function findFixChains(
  root: string,
  env: Environment,
  history: History,
  onProgress?: (commits: number) => void,
): Promise<Finding[]> {
  const fixes = history.commits.filter(isSmallFix).slice(0, MOST_FIXES).reverse();
  if (fixes.length < 2) return [];
  const links = await linksBetween(root, env, fixes, onProgress);
  return chainsOf(links)
    .filter(({ commits }) => spanSeconds(commits) >= SAME_WORK_SECONDS)
    .map((chain) => findingOf(chain, history));
}

function isSmallFix({ subject, files }: Commit): boolean {
  if (!isFix(subject) || files.length > MOST_FILES || !files.some(({ path }) => isSource(path))) return false;
  return files.reduce((sum, { added, removed }) => sum + added + removed, 0) <= MOST_LINES;
}

/** Lines are compared by their text, because commits in between move them up and down. */
async function linksBetween(
  root: string,
  env: Environment,
  fixes: Commit[],
  onProgress?: (commits: number) => void,
): Promise<Link[]> {
  const commits = new Map(fixes.map((commit) => [commit.id, commit]));
  const written = new Map<string, { commit: Commit; lines: Set<string> }[]>();
  const links: Link[] = [];
  let last = '';
  let seen = 0;
  for await (const patch of readPatches(root, [...commits.keys()], env)) {
    const commit = commits.get(patch.commit);
    if (commit === undefined || !isSource(patch.path)) continue;
    if (last !== commit.id && ++seen % 200 === 0) onProgress?.(seen);
    last = commit.id;
    const path =
      commit.files.find((file) => file.path === patch.path || file.before === patch.path)?.path ?? patch.path;
    const added = new Set(patch.added);
    const removed = new Set(patch.removed.filter((line) => isTelling(line) && !added.has(line)));
    const recent = (written.get(path) ?? []).filter((one) => commit.seconds - one.commit.seconds <= WINDOW_SECONDS);
    for (const { commit: earlier, lines } of recent) {
      const again = [...removed].filter((line) => lines.has(line));
      const isEnough = again.length >= 2 || (again[0]?.length ?? 0) >= 25;
      if (isEnough && earlier.id !== commit.id) links.push({ earlier, later: commit, path, lines: again.length });
    }
    const before = new Set(patch.removed);
    recent.push({ commit, lines: new Set(patch.added.filter((line) => isTelling(line) && !before.has(line))) });
    written.set(path, recent);
  }
  return links;
}

/** A line that is hardly the same by chance: no brace, no import, no comment. */
function isTelling(line: string): boolean {
  return (
    line.length >= 12 && /\p{L}{3}/u.test(line) && !/^(?:import\b|from\b|#|\/\/|\/?\*|<!--|use |using )/.test(line)
  );
}

interface Chain {
  commits: Commit[];
  paths: string[];
  links: Link[];
}

/** Links that share a commit make one chain, oldest commit first. */
function chainsOf(links: Link[]): Chain[] {
  const chainOf = new Map<string, Chain>();
  for (const link of links) {
    const chain = chainOf.get(link.earlier.id) ?? { commits: [link.earlier], paths: [], links: [] };
    const other = chainOf.get(link.later.id);
    if (other && other !== chain) {
      for (const commit of other.commits) if (!chain.commits.includes(commit)) chain.commits.push(commit);
      chain.paths.push(...other.paths.filter((path) => !chain.paths.includes(path)));
      chain.links.push(...other.links);
    }
    if (!chain.commits.includes(link.later)) chain.commits.push(link.later);
    if (!chain.paths.includes(link.path)) chain.paths.push(link.path);
    chain.links.push(link);
    for (const commit of chain.commits) chainOf.set(commit.id, chain);
  }
  const chains = [...new Set(chainOf.values())];
  for (const { commits } of chains) commits.sort((a, b) => a.seconds - b.seconds || (a.id < b.id ? -1 : 1));
  return chains;
}

function findingOf({ commits, paths, links }: Chain, history: History): Finding {
  const [first, second] = commits;
  const lines = links.reduce((sum, link) => sum + link.lines, 0);
  const isAlive = paths.some((path) => history.tree.has(path));
  const weight = 0.5 + Math.min(0.3, 0.1 * (commits.length - 2)) + Math.min(0.1, lines / 100) + (isAlive ? 0.1 : -0.2);
  const cited = commits.length > 6 ? [...commits.slice(0, 3), ...commits.slice(-3)] : commits;
  return {
    pattern: 'fix-chain',
    subject: first?.id ?? '',
    support: commits.length,
    weight,
    commits: cited,
    tell(cite) {
      if (first === undefined || second === undefined) throw new Error('A chain has two commits or more.');
      const what = cite(first).subject;
      const times = commits.length === 2 ? 'Fixed twice' : `Fixed ${commits.length} times`;
      const touched = commits.length === 2 ? cite(second).shortId : `${commits.length - 1} later fixes`;
      const sentences = [
        `Commit ${cite(first).shortId} ("${what}") was no final fix: ${touched} changed ${lines === 1 ? 'a line' : `${lines} lines`} of it again within ${spanOf(spanSeconds(commits))}.`,
        `The lines lie in ${listed(paths)}.`,
        `The last of these fixes is "${cite(commits.at(-1) ?? first).subject}".`,
      ];
      return {
        type: 'discovery',
        title: titled(`${times} within ${spanOf(spanSeconds(commits))}: `, what),
        narrative: sentences.join(' '),
        facts: cited.map((commit) => evidence(cite(commit))),
        concepts: ['gotcha', 'fix-after-fix'],
        files_modified: paths,
        files_read: [],
      };
    },
  };
}

function spanSeconds(commits: Commit[]): number {
  return (commits.at(-1)?.seconds ?? 0) - (commits[0]?.seconds ?? 0);
}
