import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ContextAnswer } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { useLoading } from '../loading.ts';
import { PlainText, RecordLink, withoutTurns } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { go, route, type ViewProps } from '../route.ts';
import type { Trial } from '../source.ts';

/** How long a slider must rest before its value is requested, in milliseconds: a drag fires at every frame. */
const SETTLING_MS = 60;

/** The limits that can be tried, with the range that a session could use. */
const TRIALS: { key: keyof Trial; name: string; max: number; step: number }[] = [
  { key: 'tokens', name: 'Budget in tokens', max: 4000, step: 50 },
  { key: 'observations', name: 'Observations at most', max: 200, step: 5 },
];

/**
 * What would be injected into the next session, with the reason for each record; other limits can be tried.
 */
export function ContextView({ store }: ViewProps): JSX.Element {
  const { more } = route.value;
  const trial = trialOf(more);
  const { value, problem } = useLoading(
    store,
    async (source, signal) => {
      await pause(SETTLING_MS, signal);
      return source.context(trial, signal);
    },
    [JSON.stringify(trial)],
  );
  const set = (key: string, to: string) => {
    go({ view: 'context', more: { ...more, [key]: to } }, { replace: true });
  };
  const reset = () => go({ view: 'context' }, { replace: true });
  const isTrying = Object.keys(trial).length > 0;
  return (
    <div class="context-page">
      <h1>What the next session will get</h1>
      <form class="panel trial line" onSubmit={(event) => event.preventDefault()} aria-label="Try other limits">
        {TRIALS.map(({ key, name, max, step }) => (
          <label key={key}>
            <span>{name}</span>
            <input
              type="range"
              min={0}
              max={max}
              step={step}
              value={trial[key] ?? value?.settings[key] ?? 0}
              onInput={(event) => set(key, event.currentTarget.value)}
            />
            <output>
              {trial[key] !== undefined && `${numberOf(trial[key])}, tried`}
              {trial[key] === undefined && value && `${numberOf(value.settings[key])}, as in the settings`}
            </output>
          </label>
        ))}
        <div class="line">
          <button type="button" disabled={!isTrying} onClick={reset}>
            Reset
          </button>
        </div>
      </form>
      {problem && <Problem error={problem} />}
      {value && <Injected answer={value} limit={trial.tokens ?? value.settings.tokens} />}
      {!value && !problem && <div class="skeleton tall" aria-busy="true" />}
    </div>
  );
}

function Injected({ answer, limit }: { answer: ContextAnswer; limit: number }): JSX.Element {
  const { text, tokens, records, dropped } = answer;
  return (
    <div class="columns">
      <section class="panel injected-panel" aria-labelledby="injected">
        <h2 id="injected">
          The text{' '}
          <span class="soft">
            {numberOf(tokens)} of {numberOf(limit)} tokens
          </span>
        </h2>
        <div class="meter" aria-hidden="true">
          <span style={{ width: `${Math.min(100, (tokens / Math.max(1, limit)) * 100)}%` }} />
        </div>
        {text === '' ? (
          <p class="soft">Nothing is injected: no record fits, or none is there yet.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <pre class="wrap injected" tabIndex={0}>
            {withoutTurns(text)}
          </pre>
        )}
      </section>
      <Receipt records={records} dropped={dropped} />
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

/** Waits; rejects if it is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Records shown before the rest is expanded: a usual briefing whole. Thousands may be left out. */
const MOST = 60;

/** Which records are injected and which are not, each with the reason. */
function Receipt({ records, dropped }: Pick<ContextAnswer, 'records' | 'dropped'>): JSX.Element {
  return (
    <section class="panel" aria-labelledby="receipt">
      <h2 id="receipt">
        The receipt{' '}
        <span class="soft">
          {numberOf(records.length)} in, {numberOf(dropped.length)} out
        </span>
      </h2>
      <Lines
        sign="in"
        lines={records.map(({ tokens, ...one }) => ({ ...one, note: `${one.reason}, ${numberOf(tokens)} tokens` }))}
      />
      {dropped.length > 0 && (
        <details open={dropped.length <= MOST}>
          <summary>Left out</summary>
          <Lines sign="out" lines={dropped.map((one) => ({ ...one, note: one.reason }))} />
        </details>
      )}
    </section>
  );
}

interface LinesProps {
  sign: 'in' | 'out';
  lines: { id: string; title: string; note: string }[];
}

function Lines({ sign, lines }: LinesProps): JSX.Element {
  const [most, setMost] = useState(MOST);
  return (
    <>
      <ul class="receipt">
        {lines.slice(0, most).map(({ id, title, note }) => (
          <li key={id}>
            <span class={`state ${sign === 'in' ? 'good' : 'off'}`}>{sign}</span>
            <RecordLink id={id} title={title} />
            <PlainText class="soft" text={note} />
          </li>
        ))}
      </ul>
      {lines.length > most && (
        <button type="button" onClick={() => setMost(most + 10 * MOST)}>
          {numberOf(lines.length - most)} more
        </button>
      )}
    </>
  );
}
