import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Something that is asked for: what came last, and why nothing newer did. */
export interface Loading<T> {
  value: T | undefined;
  problem: Error | undefined;
  /** It is being asked for once more; what came last still stands. */
  isBusy: boolean;
}

/** Asks again whenever one of `on` changes; an answer to what is no longer asked is dropped. */
export function useLoading<T>(ask: (signal: AbortSignal) => Promise<T>, on: unknown[]): Loading<T> {
  const state = useSignal<Loading<T>>({ value: undefined, problem: undefined, isBusy: true });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    state.value = { ...state.peek(), isBusy: true };
    ask(signal).then(
      (value) => {
        if (!signal.aborted) state.value = { value, problem: undefined, isBusy: false };
      },
      (error: unknown) => {
        if (signal.aborted) return;
        const problem = error instanceof Error ? error : new Error(String(error));
        state.value = { value: undefined, problem, isBusy: false };
      },
    );
    return () => controller.abort();
  }, on);
  return state.value;
}
