import { type Signal, signal } from '@preact/signals';
import { asError } from '../../../errors.ts';
import type { Filters, SearchAnswer } from '../protocol.ts';
import type { Source } from './source.ts';

/**
 * How many of the best hits are requested while typing, and on request: needing more means that the question is too
 * wide.
 */
export const HITS = { first: 12, most: 100 } as const;

/** The last question and its answer; answers to earlier ones are dropped. */
export interface Search {
  answer: Signal<SearchAnswer | undefined>;
  /** A newer question is pending; the previous answer stays until then. */
  isBusy: Signal<boolean>;
  problem: Signal<Error | undefined>;
  ask(query: string, filters: Filters, most?: number): Promise<void>;
  close(): void;
}

/** Asks the source, one question at a time. */
export function openSearch(source: Source): Search {
  const answer = signal<SearchAnswer | undefined>(undefined);
  const isBusy = signal(false);
  const problem = signal<Error | undefined>(undefined);
  let last: AbortController | undefined;

  return {
    answer,
    isBusy,
    problem,
    async ask(query, filters, most = HITS.first) {
      last?.abort();
      const stop = new AbortController();
      last = stop;
      isBusy.value = true;
      try {
        const given = await source.search(query, filters, most, stop.signal);
        if (stop.signal.aborted) return;
        answer.value = given;
        problem.value = undefined;
      } catch (error) {
        if (stop.signal.aborted) return;
        problem.value = asError(error);
      }
      isBusy.value = false;
    },
    close() {
      last?.abort();
    },
  };
}
