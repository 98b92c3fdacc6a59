import { messageOf } from '../../errors.ts';
import type { Checkout } from '../../git/locate.ts';
import { type Layout, layoutOf } from '../../memory/store/layout.ts';
import { log } from '../../memory/store/log.ts';
import { workspaceOf } from '../../memory/store/workspace.ts';
import { loadSettings } from '../../provenance/settings.ts';
import type { Environment } from '../../user-folders.ts';
import type { ToolCall } from '../agents/event.ts';
import { type Deeds, deedsOf } from '../agents/own-calls.ts';
import type { Occasion } from '../agents/question.ts';
import { readSession } from '../drain/session-state.ts';
import { newestEvents } from '../drain/waiting-events.ts';
import { claimAsk, forgetAsked, noteUnanswered, unanswered, wasAskedAbout } from './asked.ts';
import { type SaveMoment, saveRequest, wayToSave } from './save-request.ts';

/**
 * The line that asks the agent to save what it learned; mostly empty: without an occasion for it, when the turn saved something,
 * or when anything fails. Each turn is asked about at most once: at its end or with the prompt after it. Two prompts in a row
 * never ask, and an agent that doesn't respond is asked less often, more briefly, and finally not at all.
 */
export function requestToSave(
  checkout: Checkout,
  { host, occasion }: { host: string; occasion: Occasion },
  env: Environment,
): string {
  const layout = layoutOf(checkout, env);
  const { state } = layout;
  try {
    const moment = momentOf(layout, occasion);
    if (moment === undefined) return '';
    const asking = loadSettings(workspaceOf(checkout, env), ['capture']).config.capture.ask;
    const { kind, session } = occasion;
    const way =
      asking === 'off' || (kind === 'turn-end' && asking !== 'stop') ? undefined : wayToSave(checkout.root, host, env);
    if (way === undefined || !claimAsk(state, session, kind)) return '';
    if (kind === 'prompt') noteUnanswered(state, session, unanswered(state, session) + 1);
    return saveRequest(moment, way);
  } catch (error) {
    log(state, `request to save: ${messageOf(error)}`, new Date());
    return '';
  }
}

/** After this many requests without a save, an agent is asked only where something was made or found out. */
const PATIENCE = 2;
/** After this many it is not asked at all; together they cost about 200 tokens. */
const MOST_ASKS = 8;

/** A prompt that says how things should be done. */
const RULE =
  /\b(?:always|never|from now on|in future|as a rule|instead of|must(?:n['’]t| not)?|don['’]t (?:ever|use))\b/iu;

function momentOf(layout: Layout, occasion: Occasion): SaveMoment | undefined {
  const { state, otherStates } = layout;
  const { session } = occasion;
  const turns = recentTurns([state, ...otherStates], session);
  const [current = NOTHING, previous = NOTHING, earlier = NOTHING] = turns;
  switch (occasion.kind) {
    case 'prompt': {
      // The prompt was taken back before anything came of it, and with it what its hook had said.
      const isLost = previous.isWhole && previous.isEmpty;
      const deeds = withPutAway(state, session, isLost ? earlier : previous);
      // This also begins the turn.
      const wasAsked = forgetAsked(state, session);
      const before = unanswered(state, session);
      const count = deeds.saved ? 0 : before - Number(wasAsked && isLost);
      if (count !== before) noteUnanswered(state, session, count);
      if ((wasAsked && !isLost) || !owesRecord(deeds) || count >= MOST_ASKS) return undefined;
      if (count < PATIENCE) return 'prompt';
      return deeds.telling || RULE.test(occasion.text) ? 'again' : undefined;
    }
    case 'turn-end':
      if (wasAskedAbout(state, session, 'session') || wasAskedAbout(state, session, 'turn')) return undefined;
      // A running drain may have processed the turn the moment its end was spooled.
      return owesRecord(withPutAway(state, session, current)) ? 'turn-end' : undefined;
    default:
      return occasion satisfies never;
  }
}

function owesRecord({ edited, saved }: Deeds): boolean {
  return edited && !saved;
}

/** What a finished turn did, including the part that a drain has already moved into the session's state. */
function withPutAway(state: string, session: string, { isWhole, ...seen }: SeenTurn): Deeds {
  const put = isWhole ? undefined : readSession(state, session)?.lastTurn;
  return {
    edited: seen.edited || put?.edited === true,
    saved: seen.saved || put?.saved === true,
    telling: seen.telling || put?.telling === true,
  };
}

/** What was seen of a turn. */
type SeenTurn = Deeds & {
  /** Its prompt is still in the spool, so that no drain has processed any of it. */
  isWhole: boolean;
  /** Nothing was reported after its prompt. */
  isEmpty: boolean;
};

const NOTHING: SeenTurn = { ...deedsOf([]), isWhole: false, isEmpty: true };

/** A session's running turn and at most two before it, from events that no drain has processed yet. */
function recentTurns(states: readonly string[], session: string): SeenTurn[] {
  const turns: SeenTurn[] = [];
  let calls: ToolCall[] = [];
  let isEmpty = true;
  const add = (isWhole: boolean) => turns.push({ ...deedsOf(calls.reverse()), isWhole, isEmpty });
  for (const { event } of newestEvents(states, session)) {
    if (event.kind === 'prompt' && event.from === 'user') {
      if (add(true) === 3) return turns;
      [calls, isEmpty] = [[], true];
    } else {
      isEmpty = false;
      if (event.kind === 'tool') calls.push(event.call);
    }
  }
  add(false);
  return turns;
}
