import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findAgent } from '../../capture/agents/agents.ts';
import type { Agent, Question } from '../../capture/agents/event.ts';
import { type Occasion, occasionOf } from '../../capture/agents/occasion.ts';
import { hasHeadMoved } from '../../capture/by-hand/head-mark.ts';
import { accept, countEvents, type EventHead } from '../../capture/spool/spool.ts';
import { messageOf } from '../../errors.ts';
import { type Checkout, locate, readHead } from '../../git/locate.ts';
import { layoutOf } from '../../memory/store/layout.ts';
import { log } from '../../memory/store/log.ts';
import type { Environment } from '../../user-folders.ts';
import { readPayload } from './host-payload.ts';

export interface HookInput {
  args: string[];
  stdin: NodeJS.ReadStream;
  cwd: string;
  env: Environment;
  now: Date;
}

/** What is left to do after an event was accepted. */
export interface HookOutcome {
  /** Whether a drain is worth starting. */
  wake: boolean;
  /** The event waits for a reply to this. */
  reply?: { host: string; event: string; question: Question };
  /** The reply may ask the agent to save. */
  ask?: { host: string; event: string; occasion: Occasion };
  /** Where the drain runs. */
  root: string;
}

/**
 * Takes one event of a host into the spool. Reaches no package, prints nothing and never throws: a hook must not hurt
 * its host. Undefined when there is nothing more to do.
 */
export async function recordEvent({ args, stdin, cwd, env, now }: HookInput): Promise<HookOutcome | undefined> {
  // Without a host it is no event: `doctor` looks in this way whether the program answers.
  if (env.GIT_MEM === '0' || args.length === 0) return undefined;
  let state: string | undefined;
  try {
    const [host = '', given = '', how = ''] = args;
    // The launcher has put it into the spool, and asks for the reply alone: HEAD moved, and it may be by a commit.
    const isSpooled = how === 'spooled';
    const { bytes, payload } = await readPayload(stdin, isSpooled);
    const place = locate(cwd) ?? locate(typeof payload?.cwd === 'string' ? payload.cwd : cwd);
    // Without a .memory folder nobody asked for memory here: a hook of the user's own settings fires everywhere.
    if (place === undefined || !existsSync(join(place.root, '.memory'))) return undefined;
    state = layoutOf(place, env).state;
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
    const isLost =
      isKept && !isSpooled && !accepted(state, { host, event, root: place.root, ...readHead(place) }, bytes, now);
    const question = replies ? agent.toQuestion(event, payload) : undefined;
    const occasion = occasionAt({ agent, event, payload, isSpooled, state, place });
    return {
      // A start by itself leaves nothing to drain: only what an earlier session left is worth a process.
      wake: !isLost && !isSpooled && agent.wakes.includes(event) && (!replies || countEvents(state).pending > 1),
      ...(question && { reply: { host, event, question } }),
      ...(occasion && { ask: { host, event, occasion } }),
      root: place.root,
    };
  } catch (error) {
    if (state !== undefined) log(state, `hook: ${messageOf(error)}`, now);
    return undefined;
  }
}

/** The moment that this event is for a request to save: a commit counts only if HEAD moved too. */
function occasionAt({
  agent,
  event,
  payload,
  isSpooled,
  state,
  place,
}: {
  agent: Agent;
  event: string;
  payload: Record<string, unknown>;
  isSpooled: boolean;
  state: string;
  place: Checkout;
}): Occasion | undefined {
  if (!agent.asks.includes(event)) return undefined;
  // At prompts too, so that what a person committed meanwhile is not taken for the agent's.
  const hasMoved = isSpooled || hasHeadMoved(state, place);
  const occasion = occasionOf(agent, event, payload);
  return occasion?.kind === 'commit' && !hasMoved ? undefined : occasion;
}

/** A disk that is full takes no event, but what is remembered can still be injected. */
function accepted(state: string, head: EventHead, bytes: Uint8Array, now: Date): boolean {
  try {
    accept(state, head, bytes);
    return true;
  } catch (error) {
    log(state, `hook: ${messageOf(error)}`, now);
    return false;
  }
}

/** Names come from a command line: only their shape goes into the log. */
function printable(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? name : '(odd name)';
}
