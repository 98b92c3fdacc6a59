import { isObjectId } from '../git/object-id.ts';
import { COMMAND_PATIENCE_MS, runGit } from '../git/objects.ts';
import { parseRawLog, RAW_LOG } from '../git/raw-log.ts';
import { shallowCommits } from '../git/shallow.ts';
import type { Observation } from '../memory/record.ts';
import type { Workspace } from '../memory/store/workspace.ts';
import type { Freshness } from './freshness.ts';
import { judgeOf } from './whereabouts.ts';

export interface Commit {
  /** Its first ten characters. */
  commit: string;
  /** ISO 8601, when it was committed. */
  date: string;
  subject: string;
  author: string;
}

/** What became of one cited file, and by which commits. Keys are those of the JSON. */
export interface FileHistory {
  file: string;
  freshness: Freshness;
  moved_to?: string;
  /** Commits that changed it since the record; left out if history does not show it. */
  commits_since?: number;
  /** The last of them. */
  last?: Commit;
  /** This clone's history ends too early to count them. */
  shallow?: true;
}

/** Walking a long history for a few paths takes longer than a hook may; only commands ask. In milliseconds. */
const PATIENCE_MS = 20_000;

/** Characters of a commit's id that are shown, as everywhere. */
const SHORT = 10;

/** Paths on one command line, which Windows limits to 32,767 characters; of further files no commits are counted. */
const MOST_PATHS = 200;

/** What became of each file that a record has an anchor for; a few git children. */
export async function fileHistory(workspace: Workspace, record: Observation): Promise<FileHistory[]> {
  const { anchors } = record;
  const judge = await judgeOf(workspace, [anchors]);
  const files = Object.entries(anchors).map(([file, blob]) => ({ file, blob, ...judge.detail(file, blob) }));
  const stale = files.filter(({ freshness }) => freshness !== 'unknown' && freshness !== 'fresh');
  const boundary = shallowCommits(workspace.checkout.commonDir);
  const log = await readLog(workspace, [...new Set(stale.flatMap(({ file, movedTo = file }) => [file, movedTo]))]);
  const after = stale.length > 0 ? await commitsAfter(workspace, record.commit) : undefined;
  return files.map(({ file, blob, freshness, movedTo }): FileHistory => {
    const base = { file, freshness, ...(movedTo !== undefined && { moved_to: movedTo }) };
    if (freshness === 'unknown') return base;
    if (freshness === 'fresh') return { ...base, commits_since: 0 };
    const changes = changesSince(log, { file, blob, after, ...(movedTo !== undefined && { movedTo }) });
    if (changes === undefined) return { ...base, ...(boundary.size > 0 && { shallow: true }) };
    const known = changes.filter(({ hash }) => !boundary.has(hash));
    return { ...base, commits_since: known.length, ...(known[0] && { last: known[0].commit }) };
  });
}

/** A commit that changed a path, and the blob that it left there (zeros where it removed the file). */
export interface Change {
  hash: string;
  /** Its position in the log, newest first. */
  place: number;
  blob: string;
  commit: Commit;
}

/**
 * The changes after the record was made, newest first. If the anchor's blob was committed, the commits after it count,
 * whatever squashing and rebasing did to their ids; else those after the record's commit, if that is still in history.
 */
export function changesSince(
  log: ReadonlyMap<string, Change[]>,
  { file, blob, movedTo, after }: { file: string; blob: string; movedTo?: string; after: Set<string> | undefined },
): Change[] | undefined {
  const here = log.get(file) ?? [];
  const [latest] = here;
  const wasRemoved = latest !== undefined && /^0+$/.test(latest.blob);
  // The file may have changed further under its new name; before the rename, that name belonged to another file.
  const there = wasRemoved && movedTo ? (log.get(movedTo) ?? []).filter(({ place }) => place < latest.place) : [];
  const at = here.findIndex((change) => change.blob === blob);
  if (at >= 0) return [...there, ...here.slice(0, at)];
  return after && [...there, ...here].filter(({ hash }) => after.has(hash));
}

/** The commits after the record's; undefined if that one is not in history, as after a squash or rebase. */
async function commitsAfter({ checkout, env }: Workspace, commit?: string): Promise<Set<string> | undefined> {
  if (!isObjectId(commit)) return undefined;
  const ask = (...args: string[]) => runGit(checkout.root, args, env, { patienceMs: PATIENCE_MS });
  if ((await ask('merge-base', '--is-ancestor', commit, 'HEAD')) === undefined) return undefined;
  const output = await ask('rev-list', `${commit}..HEAD`);
  return output === undefined ? undefined : new Set(output.split('\n'));
}

/**
 * The changes of each of these paths, newest first, from one walk of the whole history, whatever their number; none if
 * it takes too long.
 */
export async function wholeLog(workspace: Workspace, paths: ReadonlySet<string>): Promise<Map<string, Change[]>> {
  const log = await askLog(workspace, [], COMMAND_PATIENCE_MS, (path) => paths.has(path));
  const boundary = shallowCommits(workspace.checkout.commonDir);
  if (boundary.size === 0) return log;
  return new Map([...log].map(([path, changes]) => [path, changes.filter(({ hash }) => !boundary.has(hash))]));
}

/** The changes of each path, newest first. */
async function readLog(workspace: Workspace, paths: string[]): Promise<Map<string, Change[]>> {
  if (paths.length === 0) return new Map();
  const named = paths.slice(0, MOST_PATHS).map((path) => `:(top,literal)${path}`);
  return askLog(workspace, named, PATIENCE_MS, () => true);
}

async function askLog(
  { checkout, env, at = 'HEAD' }: Workspace,
  named: string[],
  patienceMs: number,
  isWanted: (path: string) => boolean,
): Promise<Map<string, Change[]>> {
  const question = ['log', ...RAW_LOG, '--no-renames', '-c', '--format=%H%x02%cI%x02%an%x02%s', at, '--', ...named];
  const output = (await runGit(checkout.root, question, env, { patienceMs })) ?? '';
  const log = new Map<string, Change[]>();
  for (const [place, { head, changes }] of parseRawLog(output).entries()) {
    const [hash = '', date = '', author = '', ...subject] = head.split('\u0002');
    const commit = { commit: hash.slice(0, SHORT), date, subject: subject.join('').trimEnd(), author };
    for (const { path, blob } of changes) {
      if (!isWanted(path)) continue;
      const known = log.get(path);
      if (known) known.push({ hash, place, blob, commit });
      else log.set(path, [{ hash, place, blob, commit }]);
    }
  }
  return log;
}
