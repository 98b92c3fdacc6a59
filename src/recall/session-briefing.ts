import type { Config } from '../config.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Briefing, brief, type Source } from './briefing.ts';
import { newestCandidates } from './candidates.ts';

export interface SessionBriefingOptions {
  source?: Source;
  /** The agent's own session. */
  session?: string;
  /** resume: time of that session's last event (ISO 8601), where it is known. */
  since?: string;
  /** Another budget than the settings'. */
  tokens?: number;
}

/** What a starting session is told, from the files alone: neither the cache nor a provider is touched. */
export async function sessionBriefing(
  workspace: Workspace,
  { briefing, trust }: Pick<Config, 'briefing' | 'trust'>,
  { source = 'startup', session, since, tokens }: SessionBriefingOptions,
): Promise<Briefing> {
  const injectUnreviewed = trust.inject_unreviewed;
  const { candidates, strangers, changedFiles } = await newestCandidates(workspace, { injectUnreviewed });
  const options = {
    source,
    ...(session && { session }),
    ...(since && { since }),
    changedFiles,
    tokens: tokens ?? briefing.tokens,
    observations: briefing.observations,
    types: briefing.types,
    concepts: briefing.concepts,
    injectUnreviewed,
  };
  return brief(candidates, options, strangers);
}
