import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ContextAnswer } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { Problem } from '../parts/problem.tsx';
import { RecordLink } from '../parts/record-link.tsx';
import { go, route } from '../route.ts';
import type { Trial } from '../source.ts';
import type { ViewProps } from '../view-props.ts';

/** What can be tried, with the bounds within which a session could use it. */
const TRIALS: { key: keyof Trial; name: string; max: number; step: number }[] = [
  { key: 'tokens', name: 'Budget in tokens', max: 4000, step: 50 },
  { key: 'observations', name: 'Observations at most', max: 200, step: 5 },
];

/** What the next session would be told, with the reason for each record; other limits can be tried. */
export function ContextView({ store }: ViewProps): JSX.Element {
  const answer = useSignal<ContextAnswer | undefined>(undefined);
  const problem = useSignal<Error | undefined>(undefined);
  const { more } = route.value;
  const trial = trialOf(more);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      store.source.context(trial, controller.signal).then(
        (found) => {
          answer.value = found;
          problem.value = undefined;
        },
        (error: unknown) => {
          if (!controller.signal.aborted) problem.value = error instanceof Error ? error : new Error(String(error));
        },
      );
    }, 80);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [JSON.stringify(trial), store.change.value?.revision]);

  const set = (key: string, value: string) => {
    const { [key]: _, ...rest } = more;
    go({ view: 'context', more: value === '' ? rest : { ...rest, [key]: value } }, { replace: true });
  };
  return (
    <div class="context-page">
      <h1>What the next session will be told</h1>
      <form class="panel trial" onSubmit={(event) => event.preventDefault()} aria-label="Try other limits">
        {TRIALS.map(({ key, name, max, step }) => (
          <label key={key}>
            <span>{name}</span>
            <input
              type="range"
              min={0}
              max={max}
              step={step}
              value={trial[key] ?? answer.value?.settings[key] ?? 0}
              onInput={(event) => set(key, event.currentTarget.value)}
            />
            <output>
              {trial[key] === undefined ? `${answer.value?.settings[key] ?? ''} (setting)` : numberOf(trial[key])}
            </output>
          </label>
        ))}
        <button
          type="button"
          disabled={Object.keys(trial).length === 0}
          onClick={() => go({ view: 'context' }, { replace: true })}
        >
          As in the settings
        </button>
      </form>
      {problem.value && <Problem error={problem.value} />}
      {answer.value ? <Told answer={answer.value} /> : <div class="skeleton tall" />}
    </div>
  );
}

function Told({ answer: { text, tokens, records, dropped } }: { answer: ContextAnswer }): JSX.Element {
  return (
    <div class="columns">
      <section class="panel" aria-labelledby="told">
        <h2 id="told">
          The text <span class="soft">{numberOf(tokens)} tokens</span>
        </h2>
        {text === '' ? (
          <p class="soft">Nothing is remembered yet, so nothing is told.</p>
        ) : (
          <pre class="wrap told">{text}</pre>
        )}
      </section>
      <section class="panel" aria-labelledby="receipt">
        <h2 id="receipt">
          The receipt{' '}
          <span class="soft">
            {numberOf(records.length)} in, {numberOf(dropped.length)} out
          </span>
        </h2>
        <ul class="receipt">
          {records.map(({ id, title, reason, tokens: cost }) => (
            <li key={id}>
              <span class="state good">in</span>
              <RecordLink id={id} title={title} />
              <span class="soft">
                {reason}, {numberOf(cost)} tokens
              </span>
            </li>
          ))}
          {dropped.map(({ id, title, reason }) => (
            <li key={id}>
              <span class="state off">out</span>
              <RecordLink id={id} title={title} />
              <span class="soft">{reason}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function trialOf(more: Record<string, string>): Trial {
  const trial: Trial = {};
  for (const { key, max } of TRIALS) {
    const value = Number(more[key]);
    if (more[key] !== undefined && Number.isInteger(value) && value >= 0) trial[key] = Math.min(value, max);
  }
  return trial;
}
