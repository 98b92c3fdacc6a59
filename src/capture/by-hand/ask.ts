import { messageOf } from '../../errors.ts';
import { locate } from '../../git/locate.ts';
import { type Layout, layoutOf } from '../../memory/store/layout.ts';
import { log } from '../../memory/store/log.ts';
import { workspaceOf } from '../../memory/store/workspace.ts';
import { loadSettings } from '../../provenance/settings.ts';
import type { Environment } from '../../user-folders.ts';
import type { ToolCall } from '../agents/event.ts';
import type { Occasion } from '../agents/occasion.ts';
import { type Deeds, deedsOf } from '../agents/own-calls.ts';
import { readSession } from '../drain/session-state.ts';
import { newestEvents } from '../drain/waiting-events.ts';
import { claimAsk, forgetAsked, wasAsked } from './asked.ts';
import { saveRequest, wayToSave } from './save-request.ts';

/**
 * The line that asks the agent to save what it learned; empty, as it mostly is, where there is no occasion for it,
 * where the turn saved something, or where anything fails. Each turn is asked about at most once: at its end or with the
 * prompt after it. Two prompts in a row never ask.
 */
export function requestToSave(
  root: string,
  { host, occasion }: { host: string; occasion: Occasion },
  env: Environment,
): string {
  const checkout = locate(root);
  if (checkout === undefined) return '';
  const layout = layoutOf(checkout, env);
  try {
    if (!isDue(layout, occasion)) return '';
    const asking = loadSettings(workspaceOf(checkout, env), ['capture']).config.capture.ask;
    const { kind, session } = occasion;
    const way = asking === 'off' || (kind === 'turn-end' && asking !== 'stop') ? undefined : wayToSave(root, host);
    return way !== undefined && claimAsk(layout.state, session, kind) ? saveRequest(kind, way) : '';
  } catch (error) {
    log(layout.state, `request to save: ${messageOf(error)}`, new Date());
    return '';
  }
}

function isDue(layout: Layout, { kind, session }: Occasion): boolean {
  const { state, otherStates } = layout;
  const turns = () => recentTurns([state, ...otherStates], session);
  switch (kind) {
    case 'prompt': {
      // First, because it also begins the turn.
      if (forgetAsked(state, session)) return false;
      return owesRecord(withPutAway(state, session, turns().previous));
    }
    case 'turn-end':
      if (wasAsked(state, session, 'session') || wasAsked(state, session, 'turn')) return false;
      // A running drain may have processed the turn the moment its end was spooled.
      return owesRecord(withPutAway(state, session, turns().current));
    default:
      return kind satisfies never;
  }
}

function owesRecord({ edited, saved }: Deeds): boolean {
  return edited && !saved;
}

/** What a finished turn did: the session's state has the part that a drain has already processed. */
function withPutAway(state: string, session: string, { isWhole, ...seen }: SeenDeeds): Deeds {
  if (isWhole) return seen;
  const put = readSession(state, session)?.lastTurn;
  return { edited: seen.edited || put?.edited === true, saved: seen.saved || put?.saved === true };
}

/** What was seen of a turn. `isWhole`: its prompt is still in the spool, so that no drain has processed any of it. */
type SeenDeeds = Deeds & { isWhole: boolean };

/** What a session did in the turn that runs and the one before it, from its events that no drain has processed. */
function recentTurns(states: readonly string[], session: string): { current: SeenDeeds; previous: SeenDeeds } {
  const [current, previous]: [ToolCall[], ToolCall[]] = [[], []];
  let prompts = 0;
  for (const { event } of newestEvents(states, session)) {
    if (event.kind === 'prompt' && event.from === 'user' && ++prompts === 2) break;
    if (event.kind === 'tool') (prompts === 0 ? current : previous).push(event.call);
  }
  return {
    current: { ...deedsOf(current), isWhole: prompts > 0 },
    previous: { ...deedsOf(previous), isWhole: prompts === 2 },
  };
}
