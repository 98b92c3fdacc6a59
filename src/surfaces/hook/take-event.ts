import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS, findAgent } from '../../capture/agents/agents.ts';
import { type Agent, isChange, type Question } from '../../capture/agents/event.ts';
import { type Occasion, occasionOf } from '../../capture/agents/question.ts';
import { partsOfLine } from '../../capture/agents/shell-reads.ts';
import { accept, countEvents, type EventHead } from '../../capture/spool/spool.ts';
import { messageOf } from '../../errors.ts';
import { type Checkout, locate, readHead, textOf } from '../../git/locate.ts';
import { mayGuard } from '../../inject/prompt/guard-note.ts';
import type { Guarded } from '../../inject/prompt/guard-reply.ts';
import { objectIn } from '../../json.ts';
import { idOf } from '../../memory/id.ts';
import { createFolder } from '../../memory/store/create-folder.ts';
import { layoutOf, registration } from '../../memory/store/layout.ts';
import { log } from '../../memory/store/log.ts';
import { sweep } from '../../memory/store/sweep.ts';
import { type Environment, stateFolder } from '../../user-folders.ts';

export interface HookInput {
  args: string[];
  /** What the host sent; called once, and only if it is needed. */
  input: () => Promise<Buffer>;
  cwd: string;
  env: Environment;
  now: Date;
}

/** What remains to do after an event was accepted. */
export interface HookOutcome {
  host: string;
  event: string;
  checkout: Checkout;
  /** Whether a drain is worth starting. */
  wake: boolean;
  /** What the event waits to have answered. */
  question?: Question;
  /** The reply may ask the agent to save. */
  occasion?: Occasion;
  /** A call that guards may be about. */
  touch?: Guarded;
  /** A call by which the launcher could not tell that nothing is recalled: its list of names is old. */
  isOld?: boolean;
}

/**
 * Takes one event of a host into the spool. Uses no package, prints nothing and never throws: a hook must not harm its
 * host. Undefined if there is nothing more to do.
 */
export async function takeEvent({ args, input, cwd, env, now }: HookInput): Promise<HookOutcome | undefined> {
  // Without a host it is not an event: `doctor` tests in this way whether the program answers.
  if (env.GIT_MEM === '0' || args.length === 0) return undefined;
  let state: string | undefined;
  try {
    const [host = '', given = ''] = args;
    const bytes = await input();
    const payload = objectIn(bytes.toString('utf8'));
    const checkout = locate(cwd) ?? locate(typeof payload?.cwd === 'string' ? payload.cwd : cwd);
    // Without a .memory folder nobody set up a memory here: a hook in the user's own settings fires everywhere.
    if (checkout === undefined || !existsSync(join(checkout.root, '.memory'))) return undefined;
    state = layoutOf(checkout, env).state;
    const agent = findAgent(host);
    const event = given || (typeof payload?.hook_event_name === 'string' ? payload.hook_event_name : '');
    if (agent === undefined || payload === undefined || event === '') {
      const what =
        agent === undefined ? 'unknown host' : payload === undefined ? 'unreadable payload' : 'no event name';
      log(state, `hook ${printable(host)} ${printable(event)}: ${what} (${bytes.length} bytes)`, now);
      return undefined;
    }
    const isKept = agent.events.includes(event);
    const replies = agent.replies.includes(event);
    if (!isKept && !replies) {
      log(state, `hook ${agent.name} ${printable(event)}: not an event that is kept`, now);
      return undefined;
    }
    const isLost = isKept && !accepted(state, { host, event, root: checkout.root, ...readHead(checkout) }, bytes, now);
    const question = replies ? agent.toQuestion(event, payload) : undefined;
    const touch = mayGuard(state, checkout) ? touchIn(agent, event, payload) : undefined;
    const occasion = occasionOf(agent, event, payload);
    const session = question?.session ?? touch?.session ?? occasion?.session;
    const isStartup =
      question?.kind === 'start' && !question.isSubagent && !/^(?:resume|compact|clear)$/.test(question.source ?? '');
    const isTold = session === undefined || mayTell(checkout, { session, isStartup, env, nowMs: now.getTime() });
    const isAttended = agent.asksPerson?.(event, payload, env) ?? false;
    return {
      host,
      event,
      checkout,
      // A start by itself leaves nothing to drain: only events of earlier sessions justify a process.
      wake: !isLost && agent.wakes.includes(event) && (!replies || countEvents(state).pending > 1),
      ...(isTold && question && { question }),
      ...(isTold && occasion && { occasion }),
      ...(isTold && touch && { touch: { ...touch, isAttended } }),
      // Names that the launcher answers by itself where its list says so.
      ...(replies && question === undefined && /^P(?:re|ost)ToolUse$/.test(event) && { isOld: true }),
    };
  } catch (error) {
    if (state !== undefined) log(state, `hook: ${messageOf(error)}`, now);
    return undefined;
  }
}

/** A full disk accepts no event, but records can still be injected. */
function accepted(state: string, head: EventHead, bytes: Uint8Array, now: Date): boolean {
  try {
    accept(state, head, bytes);
    return true;
  } catch (error) {
    log(state, `hook: ${messageOf(error)}`, now);
    return false;
  }
}

/** Names come from a command line: only well-formed ones are logged. */
function printable(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? name : '(odd name)';
}

/** What the call in a payload changes and runs, if the event has a reply; undefined if that is nothing. */
function touchIn(
  agent: Agent,
  event: string,
  payload: Record<string, unknown>,
): Omit<Guarded, 'isAttended'> | undefined {
  if (!agent.replies.includes(event)) return undefined;
  // What a call is about to do is read like what it did.
  const reported = agent.toEvents(agent.before?.[event] ?? event, payload);
  const found = reported.flatMap((one) => (one.kind === 'tool' ? [one] : []));
  const [first] = found;
  if (first === undefined) return undefined;
  const { session, cwd, agent: subagent } = first;
  const paths = found.flatMap(({ call }) => (isChange(call) ? call.paths : []));
  const commands = found.flatMap(({ call }) => (call.action === 'command' ? partsOfLine(call.command ?? '') : []));
  if (paths.length + commands.length === 0) return undefined;
  return { session, reader: [session, subagent].filter(Boolean).join(' '), cwd, paths, commands };
}

/** How long it is known where a session began, in milliseconds. */
const FORGET_MS = 14 * 86_400_000;

/**
 * Tells whether a session may be told what a repository's memory says: it began there or in another worktree, or the user
 * set the repository up. A session also enters submodules, clones and folders of dependencies, whose reviewed branches
 * others review. Where it began is what the host says, else the repository of its first hook, which is noted.
 */
function mayTell(
  { commonDir }: Checkout,
  { session, isStartup, env, nowMs }: { session: string; isStartup: boolean; env: Environment; nowMs: number },
): boolean {
  const said = AGENTS.map(({ projectVariable }) => projectVariable && env[projectVariable]).find(Boolean);
  const began = said === undefined ? noted(commonDir, { session, isStartup, env, nowMs }) : locate(said)?.commonDir;
  return began === commonDir || existsSync(registration(commonDir, env));
}

function noted(
  commonDir: string,
  { session, isStartup, env, nowMs }: { session: string; isStartup: boolean; env: Environment; nowMs: number },
): string {
  const folder = join(stateFolder(env) ?? '/nonexistent', 'began');
  const file = join(folder, idOf(session));
  const before = isStartup ? undefined : textOf(file);
  if (before !== undefined) return before;
  try {
    createFolder(dirname(file), 0o700);
    sweep(folder, { ageMs: FORGET_MS, nowMs });
    writeFileSync(file, commonDir, { mode: 0o600 });
  } catch {
    // No home, or it is not writable: each hook counts as the first.
  }
  return commonDir;
}
