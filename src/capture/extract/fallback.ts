import { messageOf } from '../../errors.ts';
import { clearBackoff, isBackingOff, noteFailure } from './backoff.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { ProviderError } from './provider.ts';
import { REACTIONS } from './reactions.ts';
import type { Turn } from './turn.ts';

/** A provider that is asked about turns. */
export interface Asked {
  /** Its backoff is kept under this. */
  id: string;
  /** For the log. */
  name: string;
  /** Rejects with ProviderError only, except for our own mistakes. */
  extractor: Extractor;
}

export interface FallbackOptions {
  /** Folder of the backoffs. */
  state: string;
  /** Asks providers in spite of their backoff, unless they fail in this very drain. */
  now: boolean;
  clock: () => Date;
  log: (line: string) => void;
}

/**
 * Asks the first provider, and its fallback when it gives no answer; `REACTIONS` says what each failure leads to.
 * Rejects with the last ProviderError: the turns then wait for a later drain.
 */
export function withFallback(providers: Asked[], { state, now, clock, log }: FallbackOptions): Extractor {
  const failed = new Set<string>();
  const rests = ({ id }: Asked) => (now ? failed.has(id) : isBackingOff(state, id, clock()));

  /** Its answer, or why there is none. */
  const ask = async (one: Asked, turns: Turn[], context: ExtractionContext): Promise<Extraction | ProviderError> => {
    try {
      const extraction = await one.extractor.extract(turns, context);
      clearBackoff(state, one.id);
      return extraction;
    } catch (error) {
      // An interrupted call is no failure.
      if (context.signal.aborted) throw error;
      const isProviders = error instanceof ProviderError;
      if (!isProviders || REACTIONS[error.class].rest !== undefined) {
        failed.add(one.id);
        noteFailure(state, one.id, error, clock());
      } else clearBackoff(state, one.id);
      if (!isProviders) throw error;
      return error;
    }
  };

  return {
    portion: PORTION,
    isResting: () => providers.every(rests),
    async extract(turns, context) {
      const awake = providers.filter((one) => !rests(one));
      let trouble = new ProviderError('transient', 'Every provider is backing off.');
      for (const [index, one] of awake.entries()) {
        const answer = await ask(one, turns, context);
        if (!(answer instanceof ProviderError)) return answer;
        trouble = answer;
        // The answer is paid for: the fallback is not asked the same in this drain.
        if (REACTIONS[answer.class].next === 'wait') break;
        const next = awake[index + 1];
        if (next !== undefined) log(`${one.name} failed, next is ${next.name}: ${messageOf(answer)}`);
      }
      throw trouble;
    },
  };
}

/** New characters (10,000 tokens) worth a question before the session ends: with half of it each would know less. */
const PORTION = 40_000;
