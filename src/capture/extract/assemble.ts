import { resolve } from 'node:path';
import { below } from '../../git/paths.ts';
import { isChange, type ToolCall } from '../agents/event.ts';
import { isOwnSave, isOwnSummary } from '../agents/own-calls.ts';
import type { Turn, TurnCall } from './turn.ts';
import type { SpooledEvent, TurnGroup } from './turns.ts';

/** Builds the turn that extractors read from its cleaned events. `promptNumber` is the number of the user's prompt. */
export function assembleTurn(group: TurnGroup, promptNumber: number): Turn {
  const [first] = group.events;
  const last = group.events.at(-1) ?? first;
  const prompts = group.events.flatMap(({ event }) => (event.kind === 'prompt' ? [event.from] : []));
  const turn: Turn = {
    session: group.session,
    key: first === undefined ? '' : (first.event.key ?? first.name),
    promptNumber,
    prompt: '',
    // A person's request outweighs what a machine added to it.
    promptFrom: prompts.length === 0 || prompts.includes('user') ? 'user' : 'machine',
    calls: [],
    reports: [],
    reply: '',
    interrupted: false,
    saved: false,
    inputs: [],
    startedAt: first?.at ?? '',
    endedAt: last?.at ?? '',
  };
  let callsBefore = 0;
  for (const spooled of group.events) {
    const { event } = spooled;
    switch (event.kind) {
      case 'prompt':
        turn.prompt = turn.prompt === '' ? event.text : `${turn.prompt}\n\n${event.text}`;
        break;
      case 'tool':
        turn.calls.push(turnCall(spooled, event.call));
        turn.saved ||= isOwnSave(event.call) && !isOwnSummary(event.call);
        break;
      case 'report':
        turn.reports.push(event.text);
        break;
      case 'turn-end':
        if (event.agent === undefined) {
          // If nothing changed after a hook made it continue, the agent only reviewed its work.
          const isReview = event.isAgain === true && !turn.calls.slice(callsBefore).some(isChange);
          if (event.text !== '' && !(isReview && turn.reply !== '')) turn.reply = event.text;
          callsBefore = turn.calls.length;
        }
        break;
      default:
        break;
    }
  }
  return turn;
}

function turnCall(spooled: SpooledEvent, call: ToolCall): TurnCall {
  const { agent } = spooled.event;
  const paths = call.paths.map((path) => inRepository(spooled, path)).filter((path) => path !== undefined);
  return { ...call, paths, at: spooled.at, ...(agent !== undefined && { agent }) };
}

/** The path below the worktree's root with forward slashes; undefined outside the root and in git-mem's own folder. */
function inRepository({ root, event }: SpooledEvent, path: string): string | undefined {
  const found = below(root, resolve(event.cwd || root, path));
  // Claude Code gives sub-agents worktrees inside the checkout.
  const own = found?.replace(/^\.claude\/worktrees\/[^/]+\//, '');
  return own === undefined || /^\.(memory|git)(\/|$)/.test(own) ? undefined : own;
}
