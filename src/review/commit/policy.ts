import { basename, dirname, join, resolve } from 'node:path';
import { type Config, durationMs } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { gitAtWork } from '../../git/git-processes.ts';
import { type Checkout, realPath } from '../../git/locate.ts';
import { readGit } from '../../git/objects.ts';
import { operationIn } from '../../git/operation.ts';
import { type MemoryRecord, oneLine } from '../../memory/record.ts';
import { log } from '../../memory/store/log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';
import { sanitiseForTerminal } from '../../privacy/sanitise.ts';
import { commitFiles } from './memory-commit.ts';
import { ownNewFiles } from './own-files.ts';
import { isStill, placeForCommit, unsettled } from './standstill.ts';
import { releaseOwnLock } from './user-index.ts';

/** Longest that a user's commit waits for its memory, in milliseconds: staging takes some, so this bounds a hang. */
const PATIENCE_MS = 10_000;

/** How long a commit of the memory waits for the user's git command, in milliseconds; the next session tries again. */
const WAIT_MS = 30_000;

/**
 * The pre-commit hook's work under `commit: stage`: adds records that this clone wrote and git does not track to the
 * commit in the making. Not to one that names its files (`git commit -- PATH`), which has an index of its own and is
 * explicit. Not during merges, rebases and the like. Returns the added paths; never throws, and a failure leaves the
 * commit as it was.
 */
export async function stageMemory(workspace: Workspace, config: Config): Promise<string[]> {
  const { checkout, env, layout } = workspace;
  if (config.commit !== 'stage') return [];
  try {
    const index = indexOfCommit(checkout, env.GIT_INDEX_FILE);
    if (index === undefined || operationIn(checkout) !== undefined) return [];
    const files = await ownNewFiles(workspace, config.privacy.redact, index);
    if (files.length === 0) return [];
    const args = ['update-index', '--add', '-z', '--stdin'];
    const input = files.map(({ path }) => `${path}\0`).join('');
    const done = await readGit(checkout.root, args, env, { input, index, patienceMs: PATIENCE_MS, ending: 'SIGTERM' });
    return done === undefined ? [] : files.map(({ path }) => path);
  } catch (error) {
    log(layout.state, `commit: nothing was staged: ${messageOf(error)}`, new Date());
    return [];
  }
}

/**
 * The work at the start and end of a session under `commit: auto`: one commit of the records that this clone wrote and
 * git does not track, on the current branch, once no git command is running that may move it and the user is unlikely
 * to amend its tip. Git's commit hooks are not run: there is no code for them to check. Returns the commit; undefined
 * if there was nothing to commit or it has to wait, and `hook.log` says why.
 */
export async function commitMemory(
  workspace: Workspace,
  config: Config,
  now: Date,
  { waitMs = WAIT_MS }: { waitMs?: number } = {},
): Promise<string | undefined> {
  const { layout, checkout } = workspace;
  if (config.commit !== 'auto') return undefined;
  releaseOwnLock(checkout.gitDir);
  const lastMs = performance.now() + waitMs;
  let made: { commit: string } | { reason: string } | undefined;
  do {
    await isStill(checkout, lastMs);
    made = await tryCommit(workspace, config, now);
    // A command that started in the meantime will end too.
  } while (made !== undefined && 'reason' in made && gitAtWork(checkout) !== undefined && performance.now() < lastMs);
  if (made === undefined) return undefined;
  if ('reason' in made) {
    log(layout.state, `commit: waiting, because ${made.reason}.`, now);
    return undefined;
  }
  log(layout.state, `commit: ${made.commit.slice(0, 10)} holds the new records.`, now);
  return made.commit;
}

/** One attempt; undefined if there is nothing to commit. */
async function tryCommit(
  workspace: Workspace,
  config: Config,
  now: Date,
): Promise<{ commit: string } | { reason: string } | undefined> {
  const files = await ownNewFiles(workspace, config.privacy.redact);
  if (files.length === 0) return undefined;
  const head = await placeForCommit(workspace, now);
  if ('reason' in head) return head;
  const reason = await unsettled(workspace, head, { now, afterMs: durationMs(config.commit_after) });
  if (reason !== undefined) return { reason };
  const subject = commitSubject(files.map(({ record }) => record));
  return commitFiles(workspace, files, head, { subject, now });
}

/**
 * The index of the commit in the making; undefined for one that names its files. `git commit` uses the checkout's own
 * index; -a and -p the one that is about to replace it; `git commit -- PATH` a third.
 */
function indexOfCommit({ root, gitDir }: Checkout, given: string | undefined): string | undefined {
  if (!given) return join(gitDir, 'index');
  const index = resolve(root, given);
  const isOwn = ['index', 'index.lock'].includes(basename(index)) && realPath(dirname(index)) === realPath(gitDir);
  return isOwn ? index : undefined;
}

/** Longest subject of a commit, in characters: what `git log` shows in a terminal of 80 columns. */
const SUBJECT = 72;

const NAMES = [
  ['observation', 'observation', 'observations'],
  ['summary', 'summary', 'summaries'],
  ['mark', 'mark', 'marks'],
] as const;

/** The commit message for these records: `memory: 3 observations, 1 summary of session Tolerate clock skew`. */
function commitSubject(records: MemoryRecord[]): string {
  const counts = NAMES.flatMap(([kind, one, many]) => {
    const count = records.filter((record) => record.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const subject = `memory: ${counts.join(', ')}`;
  const sessions = new Set(records.flatMap(({ session }) => session ?? []));
  if (sessions.size > 1) return `${subject} of ${sessions.size} sessions`;
  const summary = records.find((record) => record.kind === 'summary');
  const title = summary === undefined ? '' : oneLine(sanitiseForTerminal(summary.title));
  if (title === '') return subject;
  const whole = `${subject} of session ${title}`;
  return whole.length <= SUBJECT ? whole : `${cut(whole)}…`;
}

/** As many whole words as fit; never half a character. */
function cut(text: string): string {
  const room = [...text].slice(0, SUBJECT - 1).join('');
  return room.slice(0, Math.max(room.lastIndexOf(' '), SUBJECT / 2)).trimEnd();
}
