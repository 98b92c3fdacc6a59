import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { frontAndBody } from '../../../../memory/front-matter-lines.ts';
import type { ReviewItem } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import type { Store } from '../store.ts';
import { MARKS, MarkButton } from './mark-button.tsx';
import { Markdown } from './markdown.tsx';
import { PlainText, withoutTurns } from './plain-text.tsx';
import { RecordLink } from './record-link.tsx';

/** Findings in a list before the rest is asked for. */
const MOST = 100;

/** What a review found of one sort, with the texts, and with what can be done about it. */
export function Findings({ items, store }: { items: ReviewItem[]; store: Store }): JSX.Element {
  const [most, setMost] = useState(MOST);
  return (
    <>
      <ul class="review">
        {items.slice(0, most).map((item, i) => (
          <Finding key={`${item.path} ${i}`} item={item} store={store} />
        ))}
      </ul>
      {items.length > most && (
        <button type="button" onClick={() => setMost(most + MOST)}>
          {numberOf(items.length - most)} more
        </button>
      )}
    </>
  );
}

function Finding({ item, store }: { item: ReviewItem; store: Store }): JSX.Element {
  const isOpen = useSignal(false);
  const { id, title, path, note, trust, before, after } = item;
  const hasText = before !== null || after !== null;
  return (
    <li>
      <div class="line">
        {id ? (
          <RecordLink id={id} title={title} />
        ) : (
          <span class="mono">
            <PlainText text={path} />
          </span>
        )}
        {trust && trust !== 'reviewed' && (
          <span class={`state ${trust === 'unreviewed' ? 'bad' : 'plain'}`}>{trust}</span>
        )}
        <span class="line end">
          {hasText && (
            <button
              type="button"
              class="quiet"
              aria-expanded={isOpen.value}
              onClick={() => (isOpen.value = !isOpen.value)}
            >
              {isOpen.value ? 'Hide' : 'Read'}
            </button>
          )}
          {id && after !== null && <Doing id={id} trust={trust} store={store} />}
        </span>
      </div>
      {note && (
        <p class="soft">
          <PlainText text={note} />
        </p>
      )}
      {isOpen.value && (
        <div class={before !== null && after !== null ? 'columns' : 'one-column'}>
          {before !== null && <Side name={after === null ? 'What it said' : 'Before'} text={before} />}
          {after !== null && <Side name={before === null ? 'What it says' : 'After'} text={after} />}
        </div>
      )}
    </li>
  );
}

function Doing({ id, trust, store }: { id: string; trust: ReviewItem['trust']; store: Store }): JSX.Element {
  const ids = [id];
  return (
    <>
      {trust === 'unreviewed' && (
        <button type="button" onClick={() => void store.act({ action: 'trust', ids }, 'Trusted on this clone.')}>
          Trust
        </button>
      )}
      {(['verify', 'retire'] as const).map((action) => (
        <MarkButton
          key={action}
          name={action}
          onDone={(reason) => void store.act({ action, ids, reason }, MARKS[action].done)}
        />
      ))}
    </>
  );
}

/** A record's file: its text rendered, and its front matter as it is. */
function Side({ name, text }: { name: string; text: string }): JSX.Element {
  const { front, body } = frontAndBody(text);
  return (
    <div class="side">
      <h3>{name}</h3>
      <Markdown level={4} text={body} />
      {front !== '' && (
        <details>
          <summary>Above the text</summary>
          <pre class="wrap">{withoutTurns(front)}</pre>
        </details>
      )}
    </div>
  );
}
