import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ContextAnswer } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { PlainText } from './plain-text.tsx';
import { RecordLink } from './record-link.tsx';

/** Records shown before the rest is expanded: a usual briefing whole. Thousands may be left out. */
const MOST = 60;

/** Which records are injected and which are not, each with the reason. */
export function Receipt({ records, dropped }: Pick<ContextAnswer, 'records' | 'dropped'>): JSX.Element {
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
