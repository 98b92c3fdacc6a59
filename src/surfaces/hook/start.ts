import { join } from 'node:path';
import { findAgent } from '../../capture/agents/agents.ts';
import { putStopMark } from '../../capture/by-hand/stop-mark.ts';
import type { Config } from '../../config.ts';
import type { Checkout } from '../../git/locate.ts';
import { claimStart, holdStart, noteInjected, resetInjected } from '../../inject/prompt/injected.ts';
import { keptAnswer } from '../../kept/keep.ts';
import { idOf } from '../../memory/id.ts';
import { layoutOf } from '../../memory/store/layout.ts';
import { forgetMissed, missedSentence } from '../../memory/store/missed.ts';
import type { Environment } from '../../user-folders.ts';
import type { HookOutcome } from './take-event.ts';

/** What is injected into a starting session or sub-agent, and what else its reply needs. */
export interface StartAnswer {
  /** Empty if there is nothing to inject. */
  text: string;
  /** The ids of the records in it. */
  told: string[];
  /** The line that the client shows to the person. */
  notice?: string;
  /** When the agent is asked to save. */
  asking: Config['capture']['ask'];
}

/** The start of a session or sub-agent that may be answered. */
export interface Start {
  checkout: Checkout;
  state: string;
  host: string;
  event: string;
  session: string;
  /** The session, or the sub-agent in it, if the host names it. */
  reader?: string;
  source: string;
  /** The session is resumed, and its host does not send along what its start was told. */
  isAnew: boolean;
  isSubagent: boolean;
  /** The host does not wait for the answer. */
  isUnheard: boolean;
}

/** The start that a hook's outcome asks about; undefined if it is about something else. */
export function startOf({ checkout, host, event, question }: HookOutcome, env: Environment): Start | undefined {
  if (question?.kind !== 'start') return undefined;
  const { state } = layoutOf(checkout, env);
  const isAnew = question.source === 'resume' && findAgent(host)?.forgetsStart === true;
  const source = isAnew ? 'startup' : question.source;
  return { isSubagent: false, isUnheard: false, ...question, source, isAnew, checkout, state, host, event };
}

/**
 * The file that keeps the answer to such a start. Undefined if the answer depends on the session itself (on what a
 * resumed or compacted one was told or wrote), or if nobody waits for it.
 */
export function answerFile({
  checkout,
  state,
  host,
  source,
  isAnew,
  isSubagent,
  isUnheard,
}: Start): string | undefined {
  if (isUnheard || isAnew || (!isSubagent && (source === 'resume' || source === 'compact'))) return undefined;
  return join(state, 'starts', `${idOf(checkout.root, host, isSubagent ? 'agent' : 'session')}.json`);
}

/**
 * The host's JSON for a starting session from the answer that an earlier start left, which takes a tenth of the time of
 * making it. Empty if another host's hook answers; undefined if the answer has to be made.
 */
export async function keptStartReply(start: Start, env: Environment, nowMs: number): Promise<string | undefined> {
  const file = answerFile(start);
  const kept = file === undefined ? undefined : keptAnswer(file, { root: start.checkout.root, env, nowMs });
  if (kept === undefined) return undefined;
  const { answer, holds } = kept;
  if (!isAnswer(answer)) return undefined;
  const isSame = holds();
  // Git works meanwhile. A start that turns out to need a new answer claims it twice, with the same result.
  const isOurs = claims(start, nowMs);
  if (!(await isSame)) return undefined;
  return isOurs ? replyWith(start, answer) : '';
}

/** A shallow check is enough: only `brief.ts` writes these answers. */
function isAnswer(value: unknown): value is StartAnswer {
  return typeof value === 'object' && value !== null && 'told' in value && 'asking' in value;
}

/** Tells whether this hook should answer: always for a sub-agent, else if no other host's hook does. */
export function claims({ state, session, host, isSubagent }: Start, nowMs: number): boolean {
  return isSubagent || claimStart(state, session, { host, now: nowMs });
}

/** The host's JSON with the answer; empty if there is nothing to tell. Notes what the session is told. */
export function replyWith(start: Start, { text, told, notice, asking }: StartAnswer): string {
  const { checkout, state, host, event, session, source, isSubagent } = start;
  const { reader = isSubagent ? undefined : session } = start;
  if (!isSubagent) {
    putStopMark(state, checkout, asking);
    if (source !== 'resume') resetInjected(state, session, source === 'compact' || source === 'clear');
  }
  // Told only when a session starts, and a compaction comes in the middle of one.
  const missed = isSubagent || source === 'compact' ? undefined : missedSentence(state);
  if (text === '' && missed === undefined) return '';
  if (reader !== undefined && told.length > 0) noteInjected(state, reader, told);
  // A forked session inherits all that its parent was told.
  if (source === 'fork') return '';
  const said = [notice, missed && (notice ? missed : `git-mem: ${missed}`)].filter(Boolean).join(' ');
  const agent = findAgent(host);
  const isHeld = agent?.startsWithPrompt === true && text !== '' && holdStart(state, session, text);
  if (isHeld && said === '') return '';
  const reply = agent?.toReply(event, isHeld ? '' : text, { ...(said && { notice: said }) }) ?? '';
  // Not every host can show the person a line.
  const isSaid = missed !== undefined && reply.includes(missed);
  if (isSaid) forgetMissed(state);
  return text === '' && !isSaid ? '' : reply;
}
