import type { ComponentChildren, JSX } from 'preact';
import type { RecordPage } from '../../record-protocol.ts';
import { numberOf, since, wholeDate } from '../dates.ts';
import { linkTo } from '../route.ts';
import { Outside, PlainText } from './plain-text.tsx';

/** Who wrote a record, the prompt behind it, how it got here, and what it saves. */
export function Provenance({ page: { card, provenance } }: { page: RecordPage }): JSX.Element {
  const { by, extractor, prompt, trust_reason, recorded, history_ends, reverted_by, discovery_tokens, read_tokens } =
    provenance;
  const rows: [name: string, value: ComponentChildren][] = [
    ['Id', <PlainText key="id" class="mono" text={card.id} />],
    ['Written by', <PlainText key="by" text={[by, extractor].filter(Boolean).join(', ')} />],
    ['Asked for', prompt && <PlainText class="asked" text={prompt} />],
    ['Trust', <PlainText key="trust" text={trust_reason} />],
    ['Recorded in', recorded ? <Recorded {...recorded} /> : history_ends && 'The history here ends before it.'],
    ['Reverted', reverted_by && `Its change was reverted by ${reverted_by.slice(0, 8)}.`],
    [
      'Session',
      card.session && (
        <a class="mono" href={linkTo({ view: 'feed', filters: { session: card.session } })}>
          <PlainText text={card.session.slice(0, 13)} />
        </a>
      ),
    ],
    [
      'Tokens',
      `${discovery_tokens === null ? '' : `${numberOf(discovery_tokens)} to find out, `}${numberOf(read_tokens)} to read`,
    ],
  ];
  return (
    <section class="panel" aria-labelledby="provenance">
      <h2 id="provenance">Where it comes from</h2>
      <dl class="pairs">
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt class="soft">{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

function Recorded(recorded: NonNullable<RecordPage['provenance']['recorded']>): JSX.Element {
  const { commit, subject, author, at, url, with_change } = recorded;
  return (
    <>
      <Outside url={url}>
        <code>{commit.slice(0, 9)}</code>
      </Outside>{' '}
      <PlainText text={subject} />, <PlainText text={author} />, {since(at)},{' '}
      {with_change ? 'with the change' : 'by itself'}
    </>
  );
}

/** The marks on a record, who made each, and whether it is active. */
export function Marks({ marks }: Pick<RecordPage, 'marks'>): JSX.Element | null {
  if (marks.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="marks">
      <h2 id="marks">Marks</h2>
      <ul class="stack">
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
