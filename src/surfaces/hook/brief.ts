import { dirname, join } from 'node:path';
import { sweepAsked } from '../../capture/by-hand/asked.ts';
import { requestAtStart, wayToSave } from '../../capture/by-hand/save-request.ts';
import { readSession } from '../../capture/drain/session-state.ts';
import { messageOf } from '../../errors.ts';
import type { Briefing } from '../../inject/briefing/briefing.ts';
import type { Source } from '../../inject/briefing/briefing-lines.ts';
import { withFewMonths } from '../../inject/briefing/newest.ts';
import { sessionBriefing } from '../../inject/briefing/session-briefing.ts';
import { readInjected, sweepInjected } from '../../inject/prompt/injected.ts';
import { keep } from '../../kept/keep.ts';
import { log } from '../../memory/store/log.ts';
import type { Entry } from '../../memory/store/source.ts';
import { workspaceOf } from '../../memory/store/workspace.ts';
import { loadSettings, settingsNotice } from '../../provenance/settings.ts';
import { untrackedRecords, vanishedRecords, vanishedSentence } from '../../provenance/untracked.ts';
import { joinsCommit } from '../../setup/git-hooks.ts';
import type { Environment } from '../../user-folders.ts';
import { answerFile, claims, replyWith, type Start, type StartAnswer } from './start.ts';

const SOURCES: readonly Source[] = ['startup', 'resume', 'compact', 'clear'];

/** The settings that a session start depends on. */
const SECTIONS = ['capture', 'briefing', 'trust', 'commit'] as const;

/**
 * The host's JSON that injects the briefing into a starting session; empty if there is nothing to inject, if another
 * host's hook answers, or if anything fails. The answer is kept for the next start.
 */
export async function sessionStartReply(start: Start, env: Environment): Promise<string> {
  const { checkout, state } = start;
  const { root, gitDir, commonDir } = checkout;
  const nowMs = Date.now();
  try {
    if (!claims(start, nowMs)) return '';
    const make = (variables: Environment) => (start.isSubagent ? forSubagent : forSession)(start, variables);
    const file = answerFile(start);
    // Not inputs of the answer: these folders change all the time, and what is kept of a commit's tree never does.
    const apart = new Set([root, gitDir, commonDir, state]);
    const trees = join(state, 'trees');
    const isApart = (path: string) => apart.has(path) || path === trees || dirname(path) === trees;
    const answer = await (file === undefined ? make(env) : keep(file, { root, env, nowMs, isApart }, make));
    sweepInjected(state, nowMs);
    sweepAsked(state, nowMs);
    return replyWith(start, answer);
  } catch (error) {
    log(state, `briefing: ${messageOf(error)}`, new Date());
    return '';
  }
}

async function forSession({ checkout, state, host, session, ...start }: Start, env: Environment): Promise<StartAnswer> {
  const { root } = checkout;
  const workspace = workspaceOf(checkout, env);
  const loaded = loadSettings(workspace, SECTIONS);
  const { config } = loaded;
  const asking = config.capture.ask;
  if (start.isUnheard) return { text: '', told: [], asking };
  const source = SOURCES.find((known) => known === start.source) ?? 'startup';
  const since = source === 'resume' ? readSession(state, session)?.lastAt : undefined;
  const request = requestAtStart(root, { asking, host, source, joins: await joinsCommit(workspace, config) }, env);
  const reads = wayToSave(root, host, env);
  const options = {
    source,
    session,
    isAnew: start.isAnew,
    request,
    ...(reads && { reads }),
    notice: settingsNotice(loaded),
    ...(since && { since }),
    ...(source === 'resume' && { known: readInjected(state, session).ids }),
  };
  // A compaction comes in the middle of a session: the person was told at its start.
  const isTold = source !== 'compact';
  const [briefing, uncommitted, vanished] = await Promise.all([
    sessionBriefing(workspace, config, options),
    isTold ? untrackedRecords(await withFewMonths(workspace)) : [],
    isTold ? vanishedRecords(workspace) : [],
  ]);
  const notice = isTold ? personLine(briefing, uncommitted.length, vanished) : undefined;
  return { text: briefing.text, told: idsIn(briefing), ...(notice && { notice }), asking };
}

/** Most tokens of a sub-agent's briefing: it has one task, and can search for more itself. */
const SUBAGENT_TOKENS = 300;

async function forSubagent({ checkout }: Start, env: Environment): Promise<StartAnswer> {
  const workspace = workspaceOf(checkout, env);
  const { config } = loadSettings(workspace, SECTIONS);
  const tokens = Math.min(SUBAGENT_TOKENS, config.briefing.tokens);
  // Its parent talks to the user, and is the one that is asked to save findings.
  const briefing = await sessionBriefing(workspace, config, { tokens, summaries: 0, isImpersonal: true });
  return { text: briefing.text, told: idsIn(briefing), asking: config.capture.ask };
}

function idsIn({ records }: Briefing): string[] {
  return records.map(({ id }) => id);
}

/**
 * What a session start tells the person: `git-mem: 12 records injected, 3 stale, 1 waits, 2 not committed.` Undefined
 * if there is nothing to tell.
 */
function personLine(
  { records, waiting = 0 }: Pick<Briefing, 'records' | 'waiting'>,
  uncommitted = 0,
  vanished: readonly Entry[] = [],
): string | undefined {
  if (records.length + waiting + uncommitted + vanished.length === 0) return undefined;
  const stale = records.filter(({ freshness }) => freshness === 'touched').length;
  const parts = [
    `${records.length} ${records.length === 1 ? 'record' : 'records'} injected`,
    stale > 0 ? `${stale} stale` : '',
    waiting > 0 ? `${waiting} ${waiting === 1 ? 'waits' : 'wait'}` : '',
    uncommitted > 0 ? `${uncommitted} not committed` : '',
  ];
  const lost = vanished.length > 0 ? ` ${vanishedSentence(vanished)}` : '';
  return `git-mem: ${parts.filter(Boolean).join(', ')}.${lost}`;
}
