import { messageOf } from '../../errors.ts';
import { clearBackoff, isBackingOff, noteFailure } from './backoff.ts';
import type { Extraction, ExtractionContext, Extractor } from './extractor.ts';
import { ProviderError } from './provider.ts';
import { REACTIONS } from './reactions.ts';
import type { Turn } from './turn.ts';

/** One provider of the chain. */
export interface Link {
  /** Its backoff is kept under this. */
  id: string;
  /** For the log. */
  name: string;
  /** Rejects with ProviderError only, except for our own mistakes. */
  extractor: Extractor;
}

export interface ChainOptions {
  /** Folder of the backoffs. */
  state: string;
  /** Asks providers in spite of their backoff, unless they fail in this very chain. */
  now: boolean;
  clock: () => Date;
  /** Extracts what no provider answered, where nothing may wait. */
  rules: Extractor;
  /** No turn waits: the rules are at the end of the chain. */
  endsInRules: boolean;
  log: (line: string) => void;
}

/**
 * Asks one provider after the other until one answers; `REACTIONS` says what each failure leads to. Rejects with the
 * last ProviderError if the turns may wait for a later answer.
 */
export function createChain(links: Link[], options: ChainOptions): Extractor {
  const { state, now, clock, rules, endsInRules, log } = options;
  const failed = new Set<string>();
  const rests = ({ id }: Link) => (now ? failed.has(id) : isBackingOff(state, id, clock()));

  /** Its answer, or why there is none. */
  const ask = async (link: Link, turns: Turn[], context: ExtractionContext): Promise<Extraction | ProviderError> => {
    try {
      const extraction = await link.extractor.extract(turns, context);
      clearBackoff(state, link.id);
      return extraction;
    } catch (error) {
      // An interrupted call is no failure.
      if (context.signal.aborted) throw error;
      const isProviders = error instanceof ProviderError;
      if (!isProviders || REACTIONS[error.class].rest !== undefined) {
        failed.add(link.id);
        noteFailure(state, link.id, error, clock());
      } else clearBackoff(state, link.id);
      if (!isProviders) throw error;
      return error;
    }
  };

  return {
    portion: PORTION,
    isResting: () => !endsInRules && links.every(rests),
    async extract(turns, context) {
      const awake = links.filter((link) => !rests(link));
      let trouble = new ProviderError('transient', 'Every provider is backing off.');
      for (const [index, link] of awake.entries()) {
        const answer = await ask(link, turns, context);
        if (!(answer instanceof ProviderError)) return answer;
        trouble = answer;
        const after = awake[index + 1]?.name ?? (endsInRules ? 'rules' : undefined);
        if (after !== undefined) log(`${link.name} failed, next is ${after}: ${messageOf(answer)}`);
        // The answer is paid for: no other provider is asked the same in this drain.
        if (REACTIONS[answer.class].next === 'wait') break;
      }
      if (endsInRules) return rules.extract(turns, context);
      throw trouble;
    },
  };
}

/** New characters (10,000 tokens) worth a question before the session ends: with half of it each would know less. */
const PORTION = 40_000;
