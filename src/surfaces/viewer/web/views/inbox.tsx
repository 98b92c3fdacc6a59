import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { WaitingRecord } from '../../protocol.ts';
import { dayAndTime } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { useLoading } from '../loading.ts';
import { PlainText } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { linkTo } from '../route.ts';
import type { Store } from '../store.ts';
import type { ViewProps } from '../view-props.ts';

/** What waits for a person: each record is accepted or dropped, the first one by a key. */
export function InboxView({ store }: ViewProps): JSX.Element {
  const { value, problem } = useLoading(
    (signal) => store.source.inbox(signal),
    [store.change.value?.revision, store.done.value],
  );
  const first = value?.records[0]?.id;
  useEffect(() => {
    if (first === undefined) return;
    return shortcuts({ a: () => accept(store, first), d: () => drop(store, first) });
  }, [first]);
  if (problem) return <Problem error={problem} />;
  return (
    <div class="inbox-page">
      <h1>Inbox</h1>
      {!value && <div class="skeleton tall" aria-busy="true" />}
      {value?.records.length === 0 && <p class="empty">Nothing waits.</p>}
      {first !== undefined && (
        <p class="soft">
          Written by sessions, and accepted by nobody yet. <kbd>a</kbd> accepts the first one, <kbd>d</kbd> drops it.
        </p>
      )}
      {value?.records.map((record) => (
        <WaitingPanel key={record.id} record={record} store={store} />
      ))}
    </div>
  );
}

function WaitingPanel({ record, store }: { record: WaitingRecord; store: Store }): JSX.Element {
  const { id, type, title, created, texts, files } = record;
  return (
    <article class="panel" aria-label={title}>
      <h2>
        <a href={linkTo({ view: 'record', id })}>
          <PlainText text={title} />
        </a>
      </h2>
      <p class="soft">
        <PlainText text={[type, dayAndTime(created), ...files].join(' · ')} />
      </p>
      {texts.map((text) => (
        <p key={text}>
          <PlainText text={text} />
        </p>
      ))}
      <div class="actions">
        <button type="button" class="primary" onClick={() => accept(store, id)}>
          Accept
        </button>
        <button type="button" onClick={() => drop(store, id)}>
          Drop
        </button>
      </div>
    </article>
  );
}

function accept(store: Store, id: string): void {
  void store.act({ action: 'promote', ids: [id] }, 'Accepted: it goes to the team with the next commit.');
}

function drop(store: Store, id: string): void {
  void store.act({ action: 'retire', ids: [id], reason: 'Dropped.' }, 'Dropped.');
}
