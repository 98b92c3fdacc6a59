import { readRevert } from '../../provenance/revert-words.ts';
import { counted } from '../../quantities.ts';
import type { Environment } from '../../user-folders.ts';
import { evidence, type Finding } from './finding.ts';
import { isFix } from './fix-words.ts';
import type { Commit, History } from './history.ts';
import { countLinesOf, patchIds, readPatches } from './patches.ts';
import { isSource, isTest } from './path-kinds.ts';
import { namesCause, reasonIn } from './reasons.ts';
import { listed, titled } from './wording.ts';

/** A later fix within this time belongs to the earlier one. */
const WINDOW_SECONDS = 30 * 86_400;

/** Fixes within this time of each other are the same piece of work, not a second try. */
const SAME_WORK_SECONDS = 2 * 3600;

/** Most fixes whose lines are compared, newest first, which bounds the time; a larger one does several things. */
const MOST_FIXES = 3000;
const MOST_FILES = 15;
const MOST_LINES = 400;

/** Most chains that git is asked about: each costs a `git blame` per file. */
const MOST_CHAINS = 10;

/** Fewer lines than this, counting blank ones and braces, were changed in passing. */
const LEAST_LINES = 2;

/** A later fix that changed lines of an earlier one again. */
interface Link {
  later: Commit;
  /** Paths in the later commit, with the lines that it removed. */
  files: { path: string; lines: number[] }[];
}

interface Chain {
  first: Commit;
  links: Link[];
}

/** Fixes whose own lines soon had to be fixed again: code that looks done and is not. Throws `git`. */
export async function findFixChains(
  root: string,
  env: Environment,
  history: History,
  onProgress?: (commits: number) => void,
): Promise<Finding[]> {
  const fixes = history.commits.filter(isSmallFix).slice(0, MOST_FIXES).reverse();
  if (fixes.length < 2) return [];
  const candidates = await candidatesIn(root, env, fixes, onProgress);
  const chains = await withoutCopies(root, env, candidates);
  const promising = chains
    .filter((chain) => weightOf(chain, history) > 0)
    .sort((a, b) => weightOf(b, history) - weightOf(a, history) || a.first.order - b.first.order)
    .slice(0, MOST_CHAINS);
  const findings: Finding[] = [];
  for (const chain of promising) {
    const checked = await confirmed(root, env, chain);
    if (checked) findings.push(findingOf(checked, history));
  }
  return findings;
}

function isSmallFix(commit: Commit): boolean {
  const { subject, files } = commit;
  if (!isFix(subject) || readRevert(commit) || files.length > MOST_FILES) return false;
  if (!files.some(({ path }) => isSource(path))) return false;
  return files.reduce((sum, { added, removed }) => sum + added + removed, 0) <= MOST_LINES;
}

/** Compares lines by their text, because commits in between move them; git confirms them afterwards. */
async function candidatesIn(
  root: string,
  env: Environment,
  fixes: Commit[],
  onProgress?: (commits: number) => void,
): Promise<Chain[]> {
  const commits = new Map(fixes.map((commit) => [commit.id, commit]));
  const written = new Map<string, { commit: Commit; lines: Set<string> }[]>();
  const chains = new Map<string, Chain>();
  let last = '';
  let seen = 0;
  for await (const patch of readPatches(root, [...commits.keys()], env)) {
    const commit = commits.get(patch.commit);
    const file = commit?.files.find(({ name }) => name === patch.path);
    if (commit === undefined || file === undefined || !isSource(patch.path)) continue;
    if (last !== commit.id && ++seen % 200 === 0) onProgress?.(seen);
    last = commit.id;
    const added = new Set(patch.added);
    const removed = patch.removed.filter((line) => isTelling(line) && !added.has(line));
    const recent = (written.get(file.path) ?? []).filter(
      ({ commit: one }) => commit.seconds - one.seconds <= WINDOW_SECONDS,
    );
    for (const { commit: first, lines } of recent) {
      if (first.id === commit.id || Math.abs(commit.seconds - first.seconds) < SAME_WORK_SECONDS) continue;
      if (file.status !== 'M' || !removed.some((line) => lines.has(line))) continue;
      const chain = chains.get(first.id) ?? { first, links: [] };
      const link = chain.links.find(({ later }) => later === commit) ?? { later: commit, files: [] };
      link.files.push({ path: file.name, lines: patch.removedAt });
      if (!chain.links.includes(link)) chain.links.push(link);
      chains.set(first.id, chain);
    }
    const before = new Set(patch.removed);
    recent.push({ commit, lines: new Set(patch.added.filter((line) => isTelling(line) && !before.has(line))) });
    written.set(file.path, recent);
  }
  return [...chains.values()];
}

/** A line that is unlikely to match by chance: no brace, no import, no comment. */
function isTelling(line: string): boolean {
  return (
    line.length >= 12 && /\p{L}{3}/u.test(line) && !/^(?:import\b|from\b|#|\/\/|\/?\*|<!--|use |using )/.test(line)
  );
}

/** The same change on two branches that were merged later counts as one fix. */
async function withoutCopies(root: string, env: Environment, chains: Chain[]): Promise<Chain[]> {
  const ids = new Set(chains.flatMap(({ first, links }) => [first.id, ...links.map(({ later }) => later.id)]));
  if (ids.size === 0) return [];
  const patchOf = await patchIds(root, env, [...ids]);
  return chains.flatMap(({ first, links }) => {
    const seen = new Set([patchOf.get(first.id) ?? first.id]);
    const kept = links.filter(({ later }) => {
      const patch = patchOf.get(later.id) ?? later.id;
      return !seen.has(patch) && seen.add(patch);
    });
    return kept.length > 0 ? [{ first, links: kept }] : [];
  });
}

/** Checks the lines with git: only those that the first commit wrote count. */
async function confirmed(root: string, env: Environment, { first, links }: Chain): Promise<Confirmed | undefined> {
  const kept: Confirmed['links'] = [];
  for (const { later, files } of links) {
    const changed: { path: string; lines: number }[] = [];
    for (const { path, lines } of files) {
      const count = await countLinesOf(root, env, { author: first.id, before: later.id, path, lines });
      if (count > 0) changed.push({ path, lines: count });
    }
    const sum = changed.reduce((all, { lines }) => all + lines, 0);
    if (sum >= LEAST_LINES) kept.push({ later, lines: sum, paths: changed.map(({ path }) => path) });
  }
  return kept.length > 0 ? { first, links: kept } : undefined;
}

interface Confirmed {
  first: Commit;
  links: { later: Commit; lines: number; paths: string[] }[];
}

/** Only a second fix that says what the first one missed, or that added a test for it, is worth a record. */
function weightOf({ first, links }: { first: Commit; links: { later: Commit }[] }, history: History): number {
  const last = links.at(-1)?.later;
  if (last === undefined || !last.files.some(({ path }) => isSource(path) && history.tree.has(path))) return 0;
  const hasReason = links.some(({ later }) => namesCause(reasonIn(later.body)));
  const hasTest = links.some(({ later }) => later.files.some(({ path }) => isTest(path) && history.tree.has(path)));
  if (!hasReason && !hasTest) return 0;
  const age = (history.head.seconds - first.seconds) / (365.25 * 86_400);
  return (
    0.34 +
    (hasReason ? 0.14 : 0) +
    (hasTest ? 0.08 : 0) +
    Math.min(0.1, 0.05 * (links.length - 1)) -
    Math.min(0.1, age / 100)
  );
}

function findingOf(chain: Confirmed, history: History): Finding {
  const { first, links } = chain;
  const shown = links.slice(-3);
  const last = shown.findLast(({ later }) => reasonIn(later.body) !== '') ?? shown.at(-1);
  const paths = [...new Set(links.flatMap((link) => link.paths))];
  const tests = links.flatMap(({ later }) => later.files.filter(({ path }) => isTest(path) && history.tree.has(path)));
  const green = [...new Set(tests.map(({ name }) => name))].slice(0, 3);
  const commits = [first, ...shown.map(({ later }) => later)];
  return {
    pattern: 'fix-chain',
    subject: first.id,
    support: links.length + 1,
    weight: weightOf(chain, history),
    commits,
    incident: [first.id, ...links.map(({ later }) => later.id)],
    textWith(cite) {
      const quoted = last && reasonIn(cite(last.later).body);
      const sentences = [
        `${cite(first).shortId} of ${cite(first).day} was not the whole fix.`,
        ...shown.map(({ later, lines, paths: files }) => {
          const { shortId, day } = cite(later);
          return `${shortId} of ${day} changed ${counted(lines, 'line')} of it again in ${listed(files, 2)}.`;
        }),
        quoted && last && `The message of ${cite(last.later).shortId} says: "${quoted}"`,
        green.length > 0
          ? `When you change this, keep the cases of all of them, and run ${listed(green, 2)}.`
          : 'When you change this, keep the cases of all of them.',
      ];
      return {
        type: 'bugfix',
        title: titled('A first fix was not enough: ', cite(first).subject),
        narrative: sentences.filter(Boolean).join(' '),
        facts: commits.map((commit) => evidence(cite(commit))),
        concepts: ['gotcha', 'fix-after-fix'],
        files_modified: paths,
        files_read: green,
      };
    },
  };
}
