import type { Config } from '../../config.ts';
import type { Environment } from '../../user-folders.ts';
import { createBudget, readBackoff, spendingPath } from './budget.ts';
import { type ChosenProvider, chosenProviders } from './chosen-provider.ts';

/** The condition of a provider; part of the shape of `stats --json` and `status --json`. */
export interface ProviderCondition {
  provider: string;
  model: string;
  /** Where in the settings it is. */
  place: ChosenProvider['place'];
  /** Tokens that its account used today (UTC). */
  today: number;
  /** Null where it costs nothing. */
  daily_budget: number | null;
  /** `missing` cannot be asked, `resting` failed and backs off, `failing` failed and is asked again next time. */
  state: 'ready' | 'missing' | 'resting' | 'failing';
  /** How often it failed in a row. */
  failures: number;
  /** Until when it rests (ISO 8601). */
  until: string | null;
  /** Why it is not ready. */
  reason: string | null;
}

/** The providers that would be asked about a turn, in order; none where no model is configured. Sends and runs nothing. */
export function conditionsOf(
  settings: Config['extract'],
  { state, env, now }: { state: string; env: Environment; now: Date },
): ProviderCondition[] {
  const file = spendingPath(state);
  return chosenProviders(settings, env).map((chosen) => {
    const { account, dailyTokens, isFree, missing } = chosen;
    const backoff = readBackoff(state, chosen.id);
    const isResting = backoff !== undefined && backoff.until > now.toISOString();
    return {
      provider: chosen.name,
      model: chosen.model,
      place: chosen.place,
      today: createBudget({ file, account, dailyTokens, now: () => now }).today(),
      daily_budget: isFree ? null : dailyTokens,
      state: missing !== '' ? 'missing' : isResting ? 'resting' : backoff ? 'failing' : 'ready',
      failures: backoff?.attempts ?? 0,
      until: isResting ? backoff.until : null,
      reason: missing || (backoff?.reason ?? null),
    };
  });
}
