import type { JSX } from 'preact';
import type { RecordPage } from '../../protocol-record.ts';
import { wholeDate } from '../dates.ts';
import { PlainText } from './plain-text.tsx';

/** The marks on a record, who made each, and whether it is active. */
export function Marks({ marks }: { marks: RecordPage['marks'] }): JSX.Element {
  return (
    <section class="panel" aria-labelledby="marks">
      <h2 id="marks">Marks</h2>
      <ul class="said">
        {marks.map(({ id, type, reason, by, created, trust, active, guards = [] }) => (
          <li key={id}>
            <strong>{type}</strong> <time class="soft">{wholeDate(created)}</time>{' '}
            <span class="soft">
              by <PlainText text={by} />
            </span>{' '}
            {!active && <span class="state off">not active</span>}{' '}
            {trust === 'unreviewed' && <span class="state bad">unreviewed</span>}
            {guards.length > 0 && (
              <p>
                Guards <PlainText text={guards.join(', ')} />
              </p>
            )}
            {reason && (
              <p>
                <PlainText text={reason} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
