import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asError } from '../../../errors.ts';
import type { Acted, Action, ChangeEvent, Filters, Meta, SearchAnswer } from '../protocol.ts';
import { problemWords, type Source } from './source.ts';

/** A short message about what just happened, with a way to undo it if there is one. */
export interface Toast {
  key: number;
  text: string;
  level: 'info' | 'error';
  undo: (() => void) | undefined;
}

/** What the pages share. */
export interface Store {
  source: Source;
  meta: Signal<Meta | undefined>;
  /** Why nothing can be shown at all. */
  problem: Signal<Error | undefined>;
  isConnected: Signal<boolean>;
  /** The newest change; its revision tells pages to reload. */
  change: Signal<ChangeEvent | undefined>;
  toasts: Signal<Toast[]>;
  /** Number of actions from this page: their changes need not be in a watched file. */
  done: Signal<number>;
  /** Follows changes until the returned function is called. */
  start(): () => void;
  say(text: string, options?: { level?: Toast['level']; undo?: () => void }): void;
  /** Executes an action and reports it; undefined if it failed, which is reported too. */
  act(action: Action, words: string): Promise<Acted[] | undefined>;
}

/** How long a message stays, in milliseconds: longer if there is something to press or to understand. */
const SHOWN_MS = { plain: 4000, long: 10_000 };

/** Actions that `undo` takes back, because they make marks. */
const MARKED: Action['action'][] = ['pin', 'verify', 'retire', 'redact'];

/** Prepares the pages' shared state; nothing is requested before `start`. */
export function createStore(source: Source): Store {
  const meta = signal<Meta | undefined>(undefined);
  const problem = signal<Error | undefined>(undefined);
  const isConnected = signal(false);
  const change = signal<ChangeEvent | undefined>(undefined);
  const toasts = signal<Toast[]>([]);
  const done = signal(0);
  let lastKey = 0;

  async function refresh(): Promise<void> {
    try {
      meta.value = await source.meta();
      problem.value = undefined;
    } catch (error) {
      problem.value = asError(error);
    }
  }

  /** Changes were not followed while the reader was in another repository, or the connection was lost. */
  async function catchUp(): Promise<void> {
    const before = meta.peek()?.revision;
    await refresh();
    const revision = meta.peek()?.revision;
    if (before === undefined || revision === undefined || revision === before) return;
    change.value = { revision, added: [], edited: [], removed: [] };
  }

  const say: Store['say'] = (text, { level = 'info', undo } = {}) => {
    const key = ++lastKey;
    const leave = () => (toasts.value = toasts.value.filter((one) => one.key !== key));
    const takeBack = () => {
      leave();
      undo?.();
    };
    toasts.value = [...toasts.value, { key, text, level, undo: undo && takeBack }];
    setTimeout(leave, undo || level === 'error' ? SHOWN_MS.long : SHOWN_MS.plain);
  };

  const act: Store['act'] = async (action, words) => {
    try {
      const acted = await source.act(action);
      done.value++;
      const undo = () => void act({ action: 'undo', ids: acted.map(({ id }) => id) }, 'Undone.');
      const named = 'ids' in action && action.ids.length > 1 ? action.ids : [];
      const all = named.length === 0 ? words : `${words} ${named.length} records: ${named.join(', ')}.`;
      if (acted.some(({ created }) => created)) say(all, MARKED.includes(action.action) ? { undo } : {});
      else say('Already marked.');
      return acted;
    } catch (error) {
      say(problemWords(error), { level: 'error' });
      return undefined;
    }
  };

  return {
    source,
    meta,
    problem,
    isConnected,
    change,
    toasts,
    done,
    start() {
      void catchUp();
      return source.watch(
        (event) => {
          change.value = event;
          void refresh();
        },
        (state) => {
          if (state && !isConnected.peek()) void catchUp();
          isConnected.value = state;
        },
        () => void catchUp(),
      );
    },
    say,
    act,
  };
}

/** How many of the best hits are requested: needing more means that the question is too wide. */
const HITS = 50;

export type Search = ReturnType<typeof openSearch>;

/** Asks the source, one question at a time; answers to earlier ones are dropped. */
export function openSearch(source: Source) {
  const answer = signal<SearchAnswer | undefined>(undefined);
  /** A newer question is pending; the previous answer stays until then. */
  const isBusy = signal(false);
  const problem = signal<Error | undefined>(undefined);
  let last: AbortController | undefined;

  return {
    answer,
    isBusy,
    problem,
    async ask(query: string, filters: Filters): Promise<void> {
      last?.abort();
      const stop = new AbortController();
      last = stop;
      isBusy.value = true;
      try {
        const given = await source.search(query, filters, HITS, stop.signal);
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

/** The state of a request: the last answer, which is shown until a new one arrives, and why there is no newer one. */
interface Loading<T> {
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
        if (!signal.aborted) state.value = { value: undefined, problem: asError(error) };
      },
    );
    return () => controller.abort();
  }, [...on, change.value?.revision, done.value]);
  return state.value;
}
