import { locate } from '../../git/locate.ts';
import { runGit } from '../../git/objects.ts';
import { headMoves, type Look, movesBetween } from '../../git/reflog.ts';
import type { DigestCommit } from '../../memory/session-digest.ts';
import type { Environment } from '../../user-folders.ts';
import type { ToolAction } from '../agents/event.ts';
import type { SpooledEvent } from '../extract/turns.ts';

/** Calls that may run git; a commit that HEAD shows after any other call was made by somebody else. */
const MAY_COMMIT: readonly ToolAction[] = ['command', 'agent', 'other'];

/** How `git commit` names what it made; hooks may print before it. */
const PRINTED = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] /gm;
/** A commit as `git log --oneline` lists it, in the output of a command that also made it. */
const LISTED = /^([0-9a-f]{7,40}) /gm;
const MAKING = /\bgit\b[^\n;&|]{0,200}\s(?:commit|rebase|cherry-pick|revert|merge|am)(?=\s|$)/u;
/** What a push sent: `  1234567..89abcde  main -> main`, with three dots where it was forced. */
const SENT = /^ [ +] [0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40}) +\S+ -> /gm;
const PUSHING = /\bgit\b[^\n;&|]{0,200}\spush(?=\s|$)/u;
const REBASING = /\bgit\b[^\n;&|]{0,200}\s(?:rebase|--rebase)(?=[\s=]|$)/u;
/** A fetch prints what others sent in the same form. */
const FETCHING = /\bgit\b[^\n;&|]{0,200}\s(?:fetch|pull)(?=\s|$)|^From /mu;

/** What is known of a session before a turn. */
interface Before extends Look {
  /** When the session began (ISO 8601). */
  since: string | undefined;
  /** The ids of its commits. */
  made: readonly string[];
}

/**
 * The commits that a turn made in this repository, oldest first: those that the worktree's HEAD and reflog show around each call,
 * whatever the command was; and those that a call's output names, as in another worktree, if they are commits of this repository
 * from the time of the turn. A rebased commit is listed as the rebase left it. `remade`: what replaced the session's earlier
 * commits: a new id, or none if a commit of the turn did.
 */
export async function commitsOf(
  events: readonly SpooledEvent[],
  before: Before,
  env: Environment,
): Promise<{ commits: DigestCommit[]; remade: Map<string, string | undefined> }> {
  const made = new Set<string>();
  const remade = new Set<string>();
  const amended = new Set<string>();
  /** When a printed commit must have been made, in milliseconds since 1970. `isListed`: it may be anybody's. */
  const printed = new Map<string, { from: number; to: number; isListed: boolean }>();
  let isRebasing = false;
  const startMs = secondsOf(events[0]?.at ?? before.at);
  let last: Look & { root?: string | undefined } = { ...before, root: events[0]?.root };
  for (const { event, root, head, at } of events) {
    const look = { at, commit: head, root };
    if (event.kind === 'tool' && MAY_COMMIT.includes(event.call.action)) {
      if (head === undefined || head !== last.commit) {
        // Another worktree's HEAD says nothing about this one's.
        const known = last.root === root ? last : { at: last.at };
        const checkout = locate(root);
        const moves = checkout?.root === root ? movesBetween(headMoves(checkout), known, look) : [];
        for (const { from, to, what, isRemade } of moves) {
          // The session leaves the amended commit, not the one it replaced.
          if (what.startsWith('commit (amend)')) amended.add(from);
          (isRemade ? remade : made).add(to);
        }
      }
      if (event.call.action === 'command') {
        const { command = '', output } = event.call;
        const to = Date.parse(at);
        isRebasing ||= REBASING.test(command);
        for (const [, id = ''] of output.matchAll(PRINTED)) printed.set(id, { from: startMs, to, isListed: false });
        const listed = MAKING.test(command) ? idsIn(output, LISTED) : [];
        const sent = PUSHING.test(command) && !FETCHING.test(`${command}\n${output}`) ? idsIn(output, SENT) : [];
        for (const id of [...listed, ...sent]) {
          const from = sent.includes(id) ? startMs : Math.max(startMs, secondsOf(last.at));
          if (!printed.has(id)) printed.set(id, { from, to, isListed: true });
          if (isRebasing) remade.add(id);
        }
      }
    }
    last = look;
  }
  const root = events.at(-1)?.root;
  for (const id of amended) made.delete(id);
  const others = [...printed.keys()].filter((id) => ![...made, ...amended].some((known) => known.startsWith(id)));
  if (root === undefined || made.size + others.length + remade.size === 0) return { commits: [], remade: new Map() };
  const old = remade.size > 0 ? before.made : [];
  const found = await described(root, [...new Set([...old, ...made, ...others, ...remade])], env);
  const sinceMs = secondsOf(before.since ?? events[0]?.at ?? before.at);
  const isRemade = ({ commit }: Described) => [...remade].some((id) => commit.startsWith(id));
  const isOwn = ({ commit, atMs, authoredMs }: Described) => {
    const times = printed.get(others.find((id) => commit.startsWith(id)) ?? '');
    const isInTime = times !== undefined && atMs >= times.from && atMs <= times.to;
    return made.has(commit) || (isInTime && (!times.isListed || authoredMs >= sinceMs));
  };
  // A rebase keeps a commit's author, author date and subject.
  const again = (one: Described) =>
    isRemade(one) ? undefined : found.findLast((other) => isRemade(other) && other.stamp === one.stamp);
  const newIds = new Map<string, string | undefined>([...amended].map((id) => [id, undefined]));
  for (const one of found) {
    const { commit } = (old.includes(one.commit) && again(one)) || {};
    if (commit !== undefined) newIds.set(one.commit, commit);
  }
  const own = found.filter((one) => !old.includes(one.commit) && isOwn(one)).map((one) => again(one) ?? one);
  const taken = [...newIds.values()];
  const commits = [...new Set(own)].filter(({ commit }) => !taken.includes(commit)).sort((a, b) => a.atMs - b.atMs);
  return { commits: commits.map(({ commit, subject }) => ({ commit, subject })), remade: newIds };
}

/** A commit as git describes it. `stamp`: what a rebase keeps of it. */
interface Described extends DigestCommit {
  /** When it was committed, and when it was written, in milliseconds since 1970. */
  atMs: number;
  authoredMs: number;
  stamp: string;
}

/** A time without its fraction: git's are in whole seconds. */
function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000) * 1000;
}

function idsIn(output: string, pattern: RegExp): string[] {
  return [...output.matchAll(pattern)].flatMap(([, id]) => id ?? []);
}

/** Describes the ids that name commits here, in order, each once. */
async function described(root: string, ids: readonly string[], env: Environment): Promise<Described[]> {
  const ask = ['log', '--no-walk=unsorted', '--ignore-missing', '--format=%x00%H%x00%ct%x00%at%x00%ae%x00%B'];
  const parts = ((await runGit(root, [...ask, ...ids, '--'], env)) ?? '').split('\0').slice(1);
  const commits = new Map<string, Described>();
  for (let i = 0; i + 4 < parts.length; i += 5) {
    const [commit = '', seconds, authored, author, line = ''] = parts.slice(i, i + 5);
    // Not the whole paragraph that git calls the subject: some tools add their trailers right below it.
    const [subject = ''] = line.split('\n');
    const stamp = `${authored} ${author} ${subject}`;
    const times = { atMs: Number(seconds) * 1000, authoredMs: Number(authored) * 1000 };
    if (!commits.has(commit)) commits.set(commit, { commit, subject, stamp, ...times });
  }
  return [...commits.values()];
}
