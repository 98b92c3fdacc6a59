import { defaultBranches } from '../git/default-branch.ts';
import {
  askGit,
  COMMAND_PATIENCE_MS,
  isAncestor,
  objectIds,
  parseRawLog,
  type RawChange,
  readBlobs,
} from '../git/objects.ts';
import { headMoves, isMadeHere } from '../git/reflog.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import { citedFiles, loggedCommits, type RecordedIn } from './recorded.ts';
import type { Version } from './salvage-sources.ts';

/** A commit that says, in git's own words, which commits it reverts, and that was not reverted itself. */
export interface Revert {
  commit: string;
  subject: string;
  /** The commits that it reverts; for a merge, what it brought to `base`. Full ids. */
  targets: { commit: string; base?: string }[];
}

/**
 * The newest commit that reverted a record's change. It names the commit that the record was recorded in by its full
 * id; it is on the reviewed branch or was made in this clone; and every cited file that it touched still shows the
 * revert. Undefined if there is none, or if any of this is unknown. A few git children.
 */
export async function revertOf(
  workspace: Workspace,
  { record, path, recorded }: { record: MemoryRecord; path: string; recorded: RecordedIn },
): Promise<Revert | undefined> {
  const head = workspace.at ?? 'HEAD';
  const reverts = await effectiveReverts(workspace, ['--ancestry-path', `${recorded.commit}..${head}`]);
  const changed = citedFiles(record).filter((file) => recorded.changed.has(file));
  // A record committed by itself has no change but its own file.
  const files = changed.length > 0 ? changed : [`.memory/${path}`];
  for (const revert of reverts) {
    if (!(await isAbout(workspace, revert, recorded.commit)) || !(await isOurs(workspace, revert.commit))) continue;
    if (await isStillReverted(workspace, { from: recorded.commit, revert: revert.commit, head, files })) return revert;
  }
  return undefined;
}

/** The files of `.memory/` that reverts in HEAD's history removed: that something was tried is worth knowing. */
export async function removedByReverts(workspace: Workspace): Promise<Version[]> {
  const reverts = await effectiveReverts(workspace, ['HEAD']);
  const removals = await removalsBy(workspace, reverts);
  return reverts.flatMap(({ commit, subject }) => {
    const from = `reverted by ${commit.slice(0, 8)}: ${subject}`;
    return (removals.get(commit) ?? []).map(({ path, before }) => ({
      path: path.slice('.memory/'.length),
      from,
      content: before,
    }));
  });
}

/** Whether a revert names a commit, or names a merge that brought it. */
async function isAbout(workspace: Workspace, { targets }: Revert, commit: string): Promise<boolean> {
  for (const { commit: target, base } of targets) {
    if (target === commit) return true;
    if (base === undefined) continue;
    const brought = await askGit(workspace, ['rev-list', '--ignore-missing', target, `^${base}`]);
    if (brought?.split('\n').includes(commit)) return true;
  }
  return false;
}

/** In git's own words. Long lines are wrapped where the merge is named. */
const STATED = /^This reverts commit ([0-9a-f]{40,64})(?:, reversing\s+changes made to ([0-9a-f]{40,64}))?\b/gm;

/** The reverts among these commits, newest first, without those that were reverted themselves. */
async function effectiveReverts(workspace: Workspace, range: string[]): Promise<Revert[]> {
  const grep = ['--topo-order', '-F', '--grep=This reverts commit '];
  const logged = await loggedCommits(workspace, [...grep, ...range, '--']);
  const all = logged.flatMap(({ commit, subject, message }): Revert[] => {
    const targets = [...message.matchAll(STATED)].map(([, target = '', base]) => ({
      commit: target,
      ...(base !== undefined && { base }),
    }));
    return targets.length === 0 ? [] : [{ commit, subject, targets }];
  });
  const undone = new Set<string>();
  // The revert of a revert is newer, so it comes first.
  const reverts = new Set(all.map(({ commit }) => commit));
  for (const { commit, targets } of all) {
    const undoes = undone.has(commit) ? [] : targets.filter(({ commit: target }) => reverts.has(target));
    // Somebody else's commit does not undo a revert of ours.
    if (undoes.length > 0 && (await isOurs(workspace, commit)))
      for (const { commit: target } of undoes) undone.add(target);
  }
  return all.filter(({ commit }) => !undone.has(commit));
}

/** The files of `.memory/` that each of the reverts removed, with the content that they had. */
async function removalsBy(workspace: Workspace, reverts: Revert[]) {
  const removals = new Map<string, RawChange[]>();
  if (reverts.length === 0) return removals;
  const how = ['--stdin', '-r', '--root', '--no-abbrev', '--no-renames', '--diff-filter=D'];
  const commits = reverts.map(({ commit }) => commit);
  const output = await askGit(workspace, ['--literal-pathspecs', 'diff-tree', ...how, '-z', '--', '.memory'], commits);
  for (const { head, changes } of parseRawLog(output ?? '')) {
    removals.set(head.trim(), changes);
  }
  return removals;
}

/** Whether a commit is on the reviewed branch, or was made in this clone, as the reflog of HEAD says. */
async function isOurs(workspace: Workspace, commit: string): Promise<boolean> {
  for (const branch of defaultBranches(workspace)) {
    if (await isAncestor(workspace.checkout.root, commit, branch, workspace.env, COMMAND_PATIENCE_MS)) return true;
  }
  // What was only fetched, checked out, merged or reset to was made by somebody else.
  return headMoves(workspace.checkout).some((move) => move.to === commit && isMadeHere(move));
}

interface Span {
  /** The commit that made the change. */
  from: string;
  revert: string;
  head: string;
  files: string[];
}

/** Whether `head` still shows the revert in each of these files that it touched, and there is at least one. */
async function isStillReverted(workspace: Workspace, { from, revert, head, files }: Span): Promise<boolean> {
  const { checkout, env } = workspace;
  const commits = [`${from}^`, from, `${revert}^`, revert, head];
  const states = files.flatMap((file) => commits.map((commit) => `${commit}:${file}`));
  const ids = (await objectIds(checkout.root, states, env)) ?? [];
  const blobs = await readBlobs(checkout.root, new Set(ids.filter((id) => id !== undefined)), env);
  const answers = files.flatMap((_, i) => {
    const [before, after, standing, left, now] = ids.slice(i * commits.length, (i + 1) * commits.length);
    if (standing === left) return [];
    if (left === before && now === left) return [true];
    if (now === undefined || left === undefined) return [false];
    const text = (id: string | undefined) => (id === undefined ? '' : (blobs.get(id)?.toString('utf8') ?? ''));
    return [showsRevert([before, after, standing, left, now].map(text))];
  });
  return answers.length > 0 && answers.every(Boolean);
}

/** A line with fewer letters and digits, such as a bracket, is in any file. */
const TELLING = /[\p{L}\p{N}].*[\p{L}\p{N}].*[\p{L}\p{N}].*[\p{L}\p{N}]/u;

/**
 * Whether a file that was edited since still shows the revert, by its texts before and after the change, before and
 * after the revert, and now: none of the lines that the change added and the revert removed is back; if the change only
 * removed lines, one that the revert brought back is still there. White space is ignored, and with it formatting.
 */
function showsRevert(texts: string[]): boolean {
  const [before, , standing, left, now] = texts.map(packed);
  const [told = [], added = []] = texts.map(linesOf);
  const isTakenBack = (line: string) => !before?.includes(line) && standing?.includes(line) && !left?.includes(line);
  const removed = added.filter(isTakenBack);
  if (removed.length > 0) return removed.every((line) => !now?.includes(line));
  const [, after, stood, back, kept] = texts.map((text) => new Set(linesOf(text)));
  return told.some((line) => !after?.has(line) && !stood?.has(line) && back?.has(line) && kept?.has(line));
}

/** The distinctive lines, without their white space. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => TELLING.test(line))
    .map(packed);
}

function packed(text: string): string {
  return text.replace(/\s+/g, '');
}
