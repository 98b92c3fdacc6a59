import type { JSX } from 'preact';
import type { ContextAnswer } from '../../protocol.ts';
import { dateOf, numberOf } from '../dates.ts';
import { Pending } from '../parts/form.tsx';
import { PlainText, RecordLines, withoutTurns } from '../parts/plain-text.tsx';
import { linkTo, type ViewProps } from '../route.ts';
import { useLoading } from '../store.ts';

/** What would be injected into the next session, with the reason for each record, and what the last one got. */
export function ContextView({ store }: ViewProps): JSX.Element {
  const { value, problem } = useLoading(store, (source, signal) => source.context(signal));
  return (
    <div class="stack">
      <h1>What the next session will get</h1>
      {value ? <Injected answer={value} /> : <Pending problem={problem} />}
    </div>
  );
}

function Injected({ answer: { text, tokens, limit, records, dropped, last } }: { answer: ContextAnswer }): JSX.Element {
  const told = records.map(({ tokens, reason, ...one }) => ({ ...one, note: `${reason}, ${numberOf(tokens)} tokens` }));
  return (
    <div class="columns">
      <div class="stack">
        <section class="panel" aria-labelledby="injected">
          <h2 id="injected">
            The text{' '}
            <span class="soft">
              {numberOf(tokens)} of {numberOf(limit)} tokens
            </span>
          </h2>
          {text === '' ? (
            <p class="soft">Nothing is injected: no record fits, or none is there yet.</p>
          ) : (
            <pre class="wrap injected">{withoutTurns(text)}</pre>
          )}
        </section>
        <LastTold last={last} />
      </div>
      <section class="panel" aria-labelledby="receipt">
        <h2 id="receipt">
          The receipt{' '}
          <span class="soft">
            {numberOf(records.length)} in, {numberOf(dropped.length)} out
          </span>
        </h2>
        <RecordLines lines={told.map((one) => ({ ...one, lead: 'in' }))} />
        {dropped.length > 0 && (
          <details open>
            <summary>Left out</summary>
            <RecordLines lines={dropped.map(({ reason, ...one }) => ({ ...one, lead: 'out', note: reason }))} />
          </details>
        )}
      </section>
    </div>
  );
}

/** From its start, its prompts and its reads: the list that keeps a record from being injected twice. */
function LastTold({ last }: Pick<ContextAnswer, 'last'>): JSX.Element {
  return (
    <section class="panel" aria-labelledby="last">
      <h2 id="last">What the last session was told</h2>
      {last === null ? (
        <p class="soft">No session here has been told a record yet.</p>
      ) : (
        <>
          <p class="soft">
            <a href={linkTo({ view: 'sessions', id: last.session })}>
              <PlainText text={last.title} />
            </a>
            , {dateOf(last.started)}
          </p>
          <RecordLines lines={last.records.map((one, i) => ({ ...one, lead: i + 1 }))} />
        </>
      )}
    </section>
  );
}
