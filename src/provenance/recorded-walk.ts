import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readHead } from '../git/locate.ts';
import { isObjectId } from '../git/object-id.ts';
import { askGit, COMMAND_PATIENCE_MS, commitNamed, isAncestor, parseRawLog, RAW_LOG, runGit } from '../git/objects.ts';
import { shallowCommits, shallowText } from '../git/shallow.ts';
import { fieldsOf } from '../json.ts';
import { factsOn, keepFacts } from '../kept/facts.ts';
import { idInName } from '../memory/file-name.ts';
import { idOf, isId } from '../memory/id.ts';
import { keepNotes } from '../memory/store/atomic.ts';
import { readNotes } from '../memory/store/json-file.ts';
import { notedLines } from '../memory/store/lines.ts';
import type { Workspace } from '../memory/store/workspace.ts';

// Which commits added each record's file: found by walking the history, which drains do in the background, each from
// where the last one ended. Kept in the state folder, which all worktrees share; disposable.

/** Commits per git child; the walk can be interrupted after each of them. */
const AT_ONCE = 5000;

/** Most new commits that a reading command walks itself: a few hundredths of a second. The background walks all. */
export const FEW_COMMITS = 1000;

/** How many walked tips are remembered: of branches that are checked out in turn. */
const MOST_TIPS = 16;

/** Asks for the changes of commits; not by `diff-tree`, which may run a user's program for the index. */
export const CHANGES_OF = [
  ...['log', '--no-walk=unsorted', '--stdin', ...RAW_LOG, '--no-renames'],
  ...['-c', '--root', '--format=%H'],
];

interface Progress {
  /** Everything reachable from these commits was walked. */
  tips: string[];
  /** Where a shallow clone's history ended; if that changes, everything is walked again. */
  shallow: string;
  /** The tip that is being walked, and how many of its commits are done. */
  begun?: { tip: string; done: number };
}

/** Walks on to HEAD, or to the commit `at`; returns whether it arrived. Does nothing if more than `most` commits are new. */
export async function walkAdditions(
  workspace: Workspace,
  limits: { most?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const { checkout, env, at } = workspace;
  const commit = at ?? readHead(checkout).commit ?? (await commitNamed(checkout.root, 'HEAD', env));
  if (commit === undefined) return true;
  let progress = readProgress(workspace);
  // An interrupted walk is finished first, because its order is known only from its own tip.
  for (const tip of new Set([progress.begun?.tip ?? commit, commit])) {
    if (progress.tips.includes(tip)) continue;
    const ended = await walkTo(workspace, tip, progress, limits);
    if (ended === undefined) return false;
    progress = ended;
  }
  if (at === undefined) await noteOtherLines(workspace, commit, progress);
  return true;
}

/** Whether the walk has arrived at HEAD, without asking git. */
export function isWalked(workspace: Workspace): boolean {
  const { commit } = readHead(workspace.checkout);
  return commit === undefined || readProgress(workspace).tips.includes(commit);
}

/** The commits that are not in the history of `head`, or not here at all; undefined if git does not answer. */
export async function notIn(
  workspace: Workspace,
  head: string,
  commits: ReadonlySet<string>,
): Promise<Set<string> | undefined> {
  if (commits.size === 0) return new Set();
  const ask = async (args: string[], lines: string[]) =>
    (await askGit(workspace, ['rev-list', '--ignore-missing', '--stdin', ...args], lines))?.split('\n');
  const here = await ask(['--no-walk=unsorted'], [...commits]);
  const elsewhere = await ask([], [...commits, `^${head}`]);
  if (here === undefined || elsewhere === undefined) return undefined;
  const found = new Set(here);
  const missing = [...commits].filter((commit) => !found.has(commit));
  return new Set([...missing, ...elsewhere.filter((commit) => commits.has(commit))]);
}

/** What is noted per worktree about the additions that its HEAD's history lacks. */
interface OtherLines {
  head: string;
  tips: string[];
  commits: string[];
}

/** Commits outside this HEAD's history that added records, such as rewritten ones and other branches', as of the last walk. */
export function otherLines(workspace: Workspace): ReadonlySet<string> {
  return new Set(readOtherLines(workspace)?.commits);
}

async function noteOtherLines(workspace: Workspace, head: string, { tips }: Progress): Promise<void> {
  const noted = readOtherLines(workspace);
  if (noted?.head === head && isDeepStrictEqual(noted.tips, tips)) return;
  const { layout, checkout, env } = workspace;
  // Along one line of history, only what it lacked before can be missing.
  const isNext = noted !== undefined && isDeepStrictEqual([head, ...noted.tips].slice(0, MOST_TIPS), tips);
  const isAhead = isNext && (await isAncestor(checkout.root, noted.head, head, env));
  const asked = isAhead ? noted.commits : allAdditions(layout.state);
  const commits = await notIn(workspace, head, new Set(asked));
  if (commits === undefined) return;
  keepNotes(otherLinesPath(workspace), { head, tips, commits: [...commits] });
}

function readOtherLines(workspace: Workspace): OtherLines | undefined {
  const { head, tips, commits } = fieldsOf(readNotes(otherLinesPath(workspace)));
  if (!isObjectId(head) || !Array.isArray(tips) || !Array.isArray(commits)) return undefined;
  return { head, tips, commits: commits.filter(isObjectId) };
}

function otherLinesPath({ layout, checkout }: Workspace): string {
  return join(layout.state, 'recorded', `other-lines-${idOf(checkout.root)}.json`);
}

function allAdditions(state: string): string[] {
  const lists = readdirSync(join(state, 'recorded')).filter((name) => name.length === 2);
  return lists.flatMap((name) => notedLines(join(state, 'recorded', name)).map((line) => line.split(' ', 2)[1] ?? ''));
}

/** The addition of a record's file by a commit. */
export interface Addition {
  commit: string;
  blob: string;
  /** Relative to the store. */
  path: string;
}

/** The additions of files with these ids in their names, in the order they were found. */
export function additionsOf({ layout }: Pick<Workspace, 'layout'>, ids: ReadonlySet<string>): Map<string, Addition[]> {
  const found = new Map<string, Addition[]>();
  for (const [id, fact] of factsOn(join(layout.state, 'recorded'), ids)) {
    const [, commit, blob, path = ''] = /^(\w+) (\w+) (.+)$/.exec(fact) ?? [];
    if (isObjectId(commit) && isObjectId(blob)) found.set(id, [...(found.get(id) ?? []), { commit, blob, path }]);
  }
  return found;
}

async function walkTo(
  workspace: Workspace,
  tip: string,
  before: Progress,
  { most, signal }: { most?: number; signal?: AbortSignal },
): Promise<Progress | undefined> {
  const { checkout, env, layout } = workspace;
  const ask = (args: string[], input: string) =>
    runGit(checkout.root, args, env, { input, patienceMs: COMMAND_PATIENCE_MS });
  // Tips that were garbage-collected are ignored. The same tips always give the same order.
  const range = ['--ignore-missing', tip, '--not', ...before.tips];
  if (most !== undefined) {
    // Counted first: ordering them takes the whole history.
    const count = await ask(['rev-list', '--count', `--max-count=${most + 1}`, ...range], '');
    if (count === undefined || Number(count) > most) return undefined;
  }
  const commits = (await ask(['rev-list', '--topo-order', ...range], ''))?.split('\n').filter(Boolean);
  if (commits === undefined) return undefined;
  const boundary = shallowCommits(checkout.commonDir);
  let done = before.begun?.tip === tip ? before.begun.done : 0;
  while (done < commits.length) {
    if (signal?.aborted) return undefined;
    // The first commits of a shallow clone seem to have added every file they contain.
    const next = commits.slice(done, done + AT_ONCE).filter((commit) => !boundary.has(commit));
    // A merge may add a record: -c shows what none of its parents has.
    const question = [...CHANGES_OF, '--full-history', '--diff-filter=A', '--', ':(top).memory'];
    // Without any commit git would show HEAD.
    const output = next.length === 0 ? '' : await ask(question, next.map((commit) => `${commit}\n`).join(''));
    if (output === undefined) return undefined;
    const found = parseRawLog(output).flatMap(({ head, changes }) =>
      changes.map(({ blob, path }) => ({ commit: head.trim(), blob, path: path.slice('.memory/'.length) })),
    );
    done += AT_ONCE;
    if (!note(layout.state, found.reverse(), { ...before, begun: { tip, done } })) return undefined;
  }
  const ended = { tips: [tip, ...before.tips].slice(0, MOST_TIPS), shallow: before.shallow };
  return note(layout.state, [], ended) ? ended : undefined;
}

/** Notes what was found, then how far the walk is: noting a commit twice is harmless. False if it cannot be written. */
function note(state: string, found: Addition[], progress: Progress): boolean {
  const facts = found.flatMap(({ commit, blob, path }): [string, string][] => {
    const id = idInName(path);
    // Files other than records, and names that do not fit on a line.
    return !isId(id) || path.includes('\n') ? [] : [[id, `${commit} ${blob} ${path}`]];
  });
  return keepFacts(join(state, 'recorded'), facts) && keepNotes(progressPath(state), progress);
}

function readProgress({ layout, checkout }: Workspace): Progress {
  const now = shallowText(checkout.commonDir);
  const { tips, shallow, begun } = fieldsOf(readNotes(progressPath(layout.state)));
  const { tip, done } = fieldsOf(begun);
  if (shallow !== now || !Array.isArray(tips)) return { tips: [], shallow: now };
  return {
    tips: tips.filter(isObjectId),
    shallow: now,
    ...(isObjectId(tip) && typeof done === 'number' && { begun: { tip, done } }),
  };
}

function progressPath(state: string): string {
  return join(state, 'recorded', 'progress.json');
}
