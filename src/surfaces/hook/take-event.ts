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
  /** Reads what the host sent; called at most once, when it is needed. */
  input: () => Promise<Buffer>;
  cwd: string;
  env: Environment;
  now: Date;
}

/** What remains to be done after an event was taken. */
export interface HookOutcome {
  host: string;
  event: string;
  checkout: Checkout;
  /** Whether a drain is worth starting. */
  wake: boolean;
  /** What the event asks, if it waits for a reply. */
  question?: Question;
  /** Set if the reply may ask the agent to save. */
  occasion?: Occasion;
  /** A call to which guards may apply. */
  touch?: Guarded;
  /** Set for a call that asks nothing, but for which the launcher started Node: its list of names is outdated. */
  isOld?: boolean;
}

/**
 * Takes one event of a host into the spool. Uses no package, prints nothing and never rejects: a hook must not harm its
 * host. Undefined if there is nothing more to do.
 */
export async function takeEvent({ args, input, cwd, env, now }: HookInput): Promise<HookOutcome | undefined> {
  // Without a host it is not an event. Where `doctor` asks that way, `bin.ts` has answered already.
  if (env.GIT_MEM === '0' || args.length === 0) return undefined;
  let state: string | undefined;
  try {
    const [host = '', given = ''] = args;
    const bytes = await input();
    const payload = objectIn(bytes.toString('utf8'));
    const checkout = locate(cwd) ?? locate(typeof payload?.cwd === 'string' ? payload.cwd : cwd);
    // Without a .memory folder nobody has set up a memory here; hooks in the user's own settings fire everywhere.
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
      // A start alone leaves nothing to drain: if an event wants a reply, only others that wait justify a process.
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

/** Spools an event; false if that fails, as on a full disk, which is logged: records can still be injected. */
function accepted(state: string, head: EventHead, bytes: Uint8Array, now: Date): boolean {
  try {
    accept(state, head, bytes);
    return true;
  } catch (error) {
    log(state, `hook: ${messageOf(error)}`, now);
    return false;
  }
}

/** Names come from a command line or a payload, so only well-formed ones are logged. */
function printable(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? name : '(odd name)';
}

/** What the call in a payload changes and runs; undefined if that is nothing, or if the event has no reply. */
function touchIn(
  agent: Agent,
  event: string,
  payload: Record<string, unknown>,
): Omit<Guarded, 'isAttended'> | undefined {
  if (!agent.replies.includes(event)) return undefined;
  // What a call is about to do is decoded like what a finished call did.
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

/** How long the place where a session began is remembered, in milliseconds. */
const FORGET_MS = 14 * 86_400_000;

/**
 * Tells whether a session may be told what a repository's memory says: it began there or in another worktree of it, or
 * the user set the repository up. Sessions also enter submodules, clones and folders of dependencies, whose reviewed
 * branches others review. The host says where a session began; else it is the repository of its first hook, as noted.
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
    // There is no home, or it is not writable: each hook counts as the session's first.
  }
  return commonDir;
}
