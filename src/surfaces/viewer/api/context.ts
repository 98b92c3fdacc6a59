import { cardsOf } from '../cards.ts';
import type { Library } from '../library.ts';
import type { ContextAnswer } from '../protocol.ts';
import { wholeNumberOf } from '../query.ts';

/** The text that would be injected into a session starting now, or with limits other than the configured ones. */
export async function context(library: Library, query: URLSearchParams): Promise<ContextAnswer> {
  const { project, snapshot } = library;
  const tokens = wholeNumberOf(query, 'tokens');
  const observations = wholeNumberOf(query, 'observations');
  const trial = { ...(tokens !== undefined && { tokens }), ...(observations !== undefined && { observations }) };
  const [briefing, now] = await Promise.all([project.briefing({ source: 'startup', ...trial }), snapshot()]);
  const ids = [...briefing.records, ...briefing.dropped].map(({ id }) => id);
  const places = [...new Set(ids)].flatMap((id) => now.byId.get(id) ?? []);
  const titles = new Map(
    (await cardsOf(library, now, places)).map(({ id, redacted, title }) => [id, redacted ? '' : title]),
  );
  const named = <T extends { id: string }>(one: T) => ({ ...one, title: titles.get(one.id) ?? '' });
  const { briefing: settings } = project.config().config;
  return {
    ...briefing,
    settings: { tokens: settings.tokens, observations: settings.observations, summaries: settings.summaries },
    records: briefing.records.map(named),
    dropped: briefing.dropped.map(named),
  };
}
