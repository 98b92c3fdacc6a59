import { findAgent } from '../agents/agents.ts';
import type { Config } from '../config.ts';
import { messageOf } from '../errors.ts';
import { loadSettings, settingsNotice } from '../provenance/settings.ts';
import type { Source } from '../recall/briefing-lines.ts';
import { claimStart, resetInjected, sweepInjected } from '../recall/injected.ts';
import { sessionBriefing } from '../recall/session-briefing.ts';
import { log } from '../repo/log.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
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
  const { session, source: given, isSubagent, isUnheard } = reply.question;
  const workspace = openWorkspace(root, env);
  const { state } = workspace.layout;
  try {
    if (isSubagent) return await subagentReply(workspace, reply, loadSettings(workspace).config);
    if (!claimStart(state, session, { host: reply.host, now: Date.now() })) return '';
    const source = SOURCES.find((known) => known === given) ?? 'startup';
    const since = source === 'resume' ? readSession(state, session)?.lastAt : undefined;
    const loaded = loadSettings(workspace);
    const { config } = loaded;
    putHeadMark(state, workspace.checkout, config.capture.ask);
    const options = { source, session, host: reply.host, notice: settingsNotice(loaded), ...(since && { since }) };
    const { text } = isUnheard ? { text: '' } : await sessionBriefing(workspace, config, options);
    // Titles that are listed here are not noted: what bears on a prompt or a file is injected in full then.
    if (source !== 'resume') resetInjected(state, session, source !== 'startup');
    sweepInjected(state, Date.now());
    sweepAsked(state, Date.now());
    return text === '' ? '' : (findAgent(reply.host)?.toReply(reply.event, text) ?? '');
  } catch (error) {
    log(state, `briefing: ${messageOf(error)}`, new Date());
    return '';
  }
}

/** Most that a sub-agent is told: it has one task, and asks for more itself. */
const SUBAGENT_TOKENS = 300;

async function subagentReply(
  workspace: Workspace,
  { host, event }: { host: string; event: string },
  config: Config,
): Promise<string> {
  const tokens = Math.min(SUBAGENT_TOKENS, config.briefing.tokens);
  // What it finds its parent is asked to save.
  const quiet = { ...config, capture: { ...config.capture, ask: 'off' as const } };
  const { text } = await sessionBriefing(workspace, quiet, { tokens, summaries: 0 });
  return text === '' ? '' : (findAgent(host)?.toReply(event, text) ?? '');
}
