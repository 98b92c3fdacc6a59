import type { Config } from '../config.ts';
import { isHidden } from '../memory/marks.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Briefing, brief } from './briefing.ts';
import type { Source } from './briefing-lines.ts';
import { type Candidates, newestCandidates } from './candidates.ts';
import { noteTally, type Tally } from './tally.ts';

export interface SessionBriefingOptions {
  source?: Source;
  /** The agent's own session. */
  session?: string;
  /** resume: time of that session's last event (ISO 8601), where it is known. */
  since?: string;
  /** Another budget than the settings'. */
  tokens?: number;
  /** Another number of observations at most. */
  observations?: number;
  /** Another number of sessions at most. */
  summaries?: number;
}

/** What a starting session is told, from the files alone: neither the cache nor a provider is touched. */
export async function sessionBriefing(
  workspace: Workspace,
  { briefing, trust }: Pick<Config, 'briefing' | 'trust'>,
  { source = 'startup', session, since, tokens, observations, summaries }: SessionBriefingOptions,
): Promise<Briefing> {
  const injectUnreviewed = trust.inject_unreviewed;
  const found = await newestCandidates(workspace, { injectUnreviewed });
  const { candidates, strangers, oversize, changedFiles } = found;
  noteTally(workspace, tallyOf(found));
  const options = {
    source,
    ...(session && { session }),
    ...(since && { since }),
    changedFiles,
    tokens: tokens ?? briefing.tokens,
    observations: observations ?? briefing.observations,
    summaries: summaries ?? briefing.summaries,
    types: briefing.types,
    concepts: briefing.concepts,
    injectUnreviewed,
  };
  return brief(candidates, options, { strangers, oversize });
}

/** What the status line shows until the next one: it may not ask git by itself. */
function tallyOf({ candidates, strangers }: Candidates): Tally {
  const standing = candidates.filter(({ state }) => !isHidden(state));
  return {
    stale: standing.filter(({ freshness }) => freshness === 'touched' || freshness === 'gone').length,
    unreviewed: strangers.filter(({ state, trust }) => trust === 'unreviewed' && !isHidden(state)).length,
  };
}
