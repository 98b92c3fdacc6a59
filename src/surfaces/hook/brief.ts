import { findAgent } from '../../capture/agents/agents.ts';
import { sweepAsked } from '../../capture/by-hand/asked.ts';
import { putHeadMark } from '../../capture/by-hand/head-mark.ts';
import { requestAtStart } from '../../capture/by-hand/save-request.ts';
import { readSession } from '../../capture/drain/session-state.ts';
import type { Config } from '../../config.ts';
import { messageOf } from '../../errors.ts';
import { log } from '../../memory/store/log.ts';
import { noteUse } from '../../memory/store/use-log.ts';
import { openWorkspace, type Workspace } from '../../memory/store/workspace.ts';
import { loadSettings, settingsNotice } from '../../provenance/settings.ts';
import type { Source } from '../../recall/briefing/briefing-lines.ts';
import { personLine } from '../../recall/briefing/person-line.ts';
import { sessionBriefing } from '../../recall/briefing/session-briefing.ts';
import { claimStart, guardReader, resetInjected, sweepInjected } from '../../recall/prompt/injected.ts';
import type { HookOutcome } from './record.ts';

const SOURCES: readonly Source[] = ['startup', 'resume', 'compact', 'clear'];

/**
 * The host's JSON that injects the briefing into a starting session; empty if there is nothing to inject or anything
 * fails.
 */
export async function sessionStartReply(
  { root, reply }: HookOutcome,
  env: Record<string, string | undefined>,
): Promise<string> {
  if (reply?.question.kind !== 'start') return '';
  const { session, source: given, isSubagent, isUnheard } = reply.question;
  const workspace = openWorkspace(root, env);
  const { state } = workspace.layout;
  try {
    if (isSubagent) return await subagentReply(workspace, { ...reply, session }, loadSettings(workspace).config);
    if (!claimStart(state, session, { host: reply.host, now: Date.now() })) return '';
    const source = SOURCES.find((known) => known === given) ?? 'startup';
    const since = source === 'resume' ? readSession(state, session)?.lastAt : undefined;
    const loaded = loadSettings(workspace);
    const { config } = loaded;
    putHeadMark(state, workspace.checkout, config.capture.ask);
    const request = requestAtStart(root, { asking: config.capture.ask, host: reply.host, source });
    const options = { source, session, request, notice: settingsNotice(loaded), ...(since && { since }) };
    const briefing = isUnheard ? undefined : await sessionBriefing(workspace, config, options);
    // Titles listed here are not noted as injected: records that bear on a prompt or a file are then injected in full.
    if (source !== 'resume') resetInjected(state, session, source !== 'startup');
    if (source === 'compact') resetInjected(state, guardReader(session), false);
    sweepInjected(state, Date.now());
    sweepAsked(state, Date.now());
    if (briefing === undefined || briefing.text === '') return '';
    noteUse(state, 'injected', { ids: briefing.records.map(({ id }) => id), session, now: new Date() });
    // A compaction comes in the middle of a session.
    const notice = config.briefing.notice && source !== 'compact' ? personLine(briefing) : undefined;
    return findAgent(reply.host)?.toReply(reply.event, briefing.text, { ...(notice && { notice }) }) ?? '';
  } catch (error) {
    log(state, `briefing: ${messageOf(error)}`, new Date());
    return '';
  }
}

/** Most tokens for a sub-agent: it has one task, and can search for more itself. */
const SUBAGENT_TOKENS = 300;

async function subagentReply(
  workspace: Workspace,
  { host, event, session }: { host: string; event: string; session: string },
  config: Config,
): Promise<string> {
  const tokens = Math.min(SUBAGENT_TOKENS, config.briefing.tokens);
  // Its parent talks to the user, and is asked to save the findings.
  const { text, records } = await sessionBriefing(workspace, config, { tokens, summaries: 0, isImpersonal: true });
  const ids = text === '' ? [] : records.map(({ id }) => id);
  noteUse(workspace.layout.state, 'injected', { ids, session, now: new Date() });
  return text === '' ? '' : (findAgent(host)?.toReply(event, text) ?? '');
}
