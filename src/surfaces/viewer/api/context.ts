import type { Library } from '../library.ts';
import type { ContextAnswer } from '../protocol.ts';
import { wholeNumberOf } from '../query.ts';
import type { Snapshot } from '../snapshot.ts';

/** The text that would be injected into a session starting now, or with limits other than the configured ones. */
export async function context({ project, snapshot }: Library, query: URLSearchParams): Promise<ContextAnswer> {
  const tokens = wholeNumberOf(query, 'tokens');
  const observations = wholeNumberOf(query, 'observations');
  const trial = { ...(tokens !== undefined && { tokens }), ...(observations !== undefined && { observations }) };
  const [briefing, now] = await Promise.all([project.briefing({ source: 'startup', ...trial }), snapshot()]);
  const named = <T extends { id: string }>(one: T) => ({ ...one, title: titleOf(one.id, now) });
  const { briefing: settings } = project.config().config;
  return {
    ...briefing,
    settings: { tokens: settings.tokens, observations: settings.observations, summaries: settings.summaries },
    records: briefing.records.map(named),
    dropped: briefing.dropped.map(named),
  };
}

/** Empty for a redacted record. */
function titleOf(id: string, { byId, judgement }: Snapshot): string {
  return judgement.states.of(id).redacted ? '' : (byId.get(id)?.document.card.title ?? '');
}
