import { findAgent } from '../agents/agents.ts';
import { loadConfig } from '../config.ts';
import { messageOf } from '../errors.ts';
import type { Source } from '../recall/briefing-lines.ts';
import { claimStart, noteInjected, resetInjected, sweepInjected } from '../recall/injected.ts';
import { sessionBriefing } from '../recall/session-briefing.ts';
import { log } from '../repo/log.ts';
import { openWorkspace } from '../store/workspace.ts';
import { readSession } from '../worker/session-state.ts';
import { sweepAsked } from './asked.ts';
import { putHeadMark } from './head-mark.ts';
import type { HookOutcome } from './record.ts';

const SOURCES: readonly Source[] = ['startup', 'resume', 'compact', 'clear'];

/** The host's JSON that hands the briefing to a starting session; empty when there is nothing to say or anything fails. */
export async function sessionStartReply(
  { root, reply }: HookOutcome,
  env: Record<string, string | undefined>,
): Promise<string> {
  if (reply?.question.kind !== 'start') return '';
  const { session, source: given } = reply.question;
  const workspace = openWorkspace(root, env);
  const { memory, state } = workspace.layout;
  try {
    if (!claimStart(state, session, { host: reply.host, now: Date.now() })) return '';
    const source = SOURCES.find((known) => known === given) ?? 'startup';
    const since = source === 'resume' ? readSession(state, session)?.lastAt : undefined;
    const { config } = loadConfig(memory, env);
    putHeadMark(state, workspace.checkout, config.capture.ask);
    const options = { source, session, host: reply.host, ...(since && { since }) };
    const { text, records } = await sessionBriefing(workspace, config, options);
    if (source !== 'resume') resetInjected(state, session, source !== 'startup');
    const ids = records.map(({ id }) => id);
    noteInjected(state, session, ids);
    sweepInjected(state, Date.now());
    sweepAsked(state, Date.now());
    return text === '' ? '' : (findAgent(reply.host)?.toReply(reply.event, text) ?? '');
  } catch (error) {
    log(state, `briefing: ${messageOf(error)}`, new Date());
    return '';
  }
}
