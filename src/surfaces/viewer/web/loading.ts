import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asError } from '../../../errors.ts';
import type { Source } from './source.ts';
import type { Store } from './store.ts';

/** The state of a request: the last answer, which is shown until a new one arrives, and why there is no newer one. */
export interface Loading<T> {
  value: T | undefined;
  problem: Error | undefined;
}

/** Asks again whenever a record or one of `on` changes; an answer to an outdated request is dropped. */
export function useLoading<T>(
  { source, change, done }: Store,
  ask: (source: Source, signal: AbortSignal) => Promise<T>,
  on: unknown[] = [],
): Loading<T> {
  const state = useSignal<Loading<T>>({ value: undefined, problem: undefined });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    ask(source, signal).then(
      (value) => {
        if (!signal.aborted) state.value = { value, problem: undefined };
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const problem = asError(error);
        state.value = { value: undefined, problem };
      },
    );
    return () => controller.abort();
  }, [...on, change.value?.revision, done.value]);
  return state.value;
}
