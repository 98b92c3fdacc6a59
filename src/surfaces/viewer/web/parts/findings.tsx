import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { frontAndBody } from '../../../../memory/front-matter-lines.ts';
import type { ReviewItem } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import type { Store } from '../store.ts';
import { MARKS, MarkButton } from './mark-button.tsx';
import { Markdown } from './markdown.tsx';
import { PlainText, RecordLink, withoutTurns } from './plain-text.tsx';

/** Findings shown before the rest is expanded: thousands with their buttons would take a browser seconds to draw. */
const MOST = 100;

interface Props {
  store: Store;
  /** The ids that are selected. */
  chosen: Signal<ReadonlySet<string>>;
}

/** The findings of one kind in a review, with their texts and actions. */
export function Findings({ items, store, chosen, kind }: Props & { items: ReviewItem[]; kind: string }): JSX.Element {
  const [most, setMost] = useState(MOST);
  const ids = items.flatMap(({ id, here }) => (id !== null && here ? [id] : []));
  const select = (some: string[], isSelected: boolean) => {
    const next = new Set(chosen.value);
    for (const id of some) isSelected ? next.add(id) : next.delete(id);
    chosen.value = next;
  };
  return (
    <>
      {ids.length > 1 && (
        <label class="line soft">
          <input
            type="checkbox"
            checked={ids.every((id) => chosen.value.has(id))}
            onChange={({ currentTarget: { checked } }) => select(ids, checked)}
          />
          All {numberOf(ids.length)}
        </label>
      )}
      <ul class="review">
        {items.slice(0, most).map((item, i) => (
          <Finding
            key={`${item.path} ${i}`}
            item={item}
            store={store}
            kind={kind}
            isChosen={item.id !== null && chosen.value.has(item.id)}
            onChoose={(isChosen) => select([item.id ?? ''], isChosen)}
          />
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

interface FindingProps {
  item: ReviewItem;
  store: Store;
  kind: string;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

/** What is decided by comparing two texts, or by reading one that is gone, is open. */
const OPEN = ['edited', 'deleted', 'duplicates', 'other_files'];

function Finding({ item, store, kind, isChosen, onChoose }: FindingProps): JSX.Element {
  const isOpen = useSignal(OPEN.includes(kind));
  const { id, title, path, note, trust, here, before, after } = item;
  const hasText = before !== null || after !== null;
  return (
    <li>
      <div class="line">
        {here && (
          <input
            type="checkbox"
            aria-label={`Select ${withoutTurns(title)}`}
            checked={isChosen}
            onChange={({ currentTarget: { checked } }) => onChoose(checked)}
          />
        )}
        {id ? <RecordLink id={id} title={title} /> : <PlainText class="mono" text={path} />}
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
          {id && here && <Doing ids={[id]} isTrusted={trust === 'reviewed' || trust === 'own'} act={store.act} />}
        </span>
      </div>
      {note && (
        <p class="soft">
          <PlainText text={note} />
        </p>
      )}
      {isOpen.value && (
        <div class={before !== null && after !== null ? 'columns' : 'one-column'}>
          {before !== null && <Side name={kind === 'duplicates' ? 'The other' : 'Before'} text={before} kind={kind} />}
          {after !== null && <Side name={kind === 'duplicates' ? 'This one' : 'Now'} text={after} kind={kind} />}
        </div>
      )}
    </li>
  );
}

/** The actions on records of a review, one or several at once. */
export function Doing(props: { ids: string[]; isTrusted: boolean; act: Store['act'] }): JSX.Element {
  const { ids, isTrusted, act } = props;
  return (
    <>
      {!isTrusted && (
        <button type="button" onClick={() => void act({ action: 'trust', ids }, 'Trusted on this clone.')}>
          Trust
        </button>
      )}
      {(['verify', 'retire'] as const).map((action) => (
        <MarkButton
          key={action}
          name={action}
          onDone={(reason) => void act({ action, ids, reason }, MARKS[action].done)}
        />
      ))}
    </>
  );
}

/** A record's file: its title, its text rendered, and its front matter unchanged; another file as it is. */
function Side({ name, text, kind }: { name: string; text: string; kind: string }): JSX.Element {
  const { front, body } = frontAndBody(text);
  const title = /^title: (.*)$/m.exec(front)?.[1];
  return (
    <div class="side">
      <h3>
        {name}
        {title && <PlainText text={`: ${title}`} />}
      </h3>
      {kind === 'other_files' ? <pre class="wrap">{withoutTurns(text)}</pre> : <Markdown level={4} text={body} />}
      {front !== '' && (
        <details>
          <summary>Above the text</summary>
          <pre class="wrap">{withoutTurns(front)}</pre>
        </details>
      )}
    </div>
  );
}
