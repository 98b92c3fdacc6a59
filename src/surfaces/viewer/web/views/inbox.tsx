import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { WaitingRecord } from '../../protocol.ts';
import { dayAndTime } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { useLoading } from '../loading.ts';
import { Editor } from '../parts/editor.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { linkTo } from '../route.ts';
import type { Store } from '../store.ts';
import type { ViewProps } from '../view-props.ts';

/** What waits for a person: each record is accepted or dropped, the first one by a key. */
export function InboxView({ store, meta }: ViewProps): JSX.Element {
  const edited = useSignal<WaitingRecord | undefined>(undefined);
  const { value, problem } = useLoading(
    (signal) => store.source.inbox(signal),
    [store.change.value?.revision, store.done.value],
  );
  const first = value?.records[0];
  useEffect(() => {
    if (first === undefined) return;
    const edit = () => {
      edited.value = first;
    };
    return shortcuts({
      a: () => accept(store, first.id),
      d: () => drop(store, first.id),
      ...(first.draft && { e: edit }),
    });
  }, [first?.id]);
  if (problem) return <Problem error={problem} />;
  return (
    <div class="inbox-page">
      <h1>Inbox</h1>
      {!value && <div class="skeleton tall" aria-busy="true" />}
      {value?.records.length === 0 && <p class="empty">Nothing waits.</p>}
      {first !== undefined && (
        <p class="soft">
          Written by sessions, and accepted by nobody yet. <kbd>a</kbd> accepts the first one, <kbd>e</kbd> edits it
          first, <kbd>d</kbd> drops it.
        </p>
      )}
      {value?.records.map((record) => (
        <WaitingPanel key={record.id} record={record} store={store} onEdit={() => (edited.value = record)} />
      ))}
      {edited.value?.draft && (
        <Editor
          title="Edit and accept"
          draft={edited.value.draft}
          store={store}
          meta={meta}
          into="team"
          accepts={edited.value.id}
          onClose={() => (edited.value = undefined)}
        />
      )}
    </div>
  );
}

function WaitingPanel({
  record,
  store,
  onEdit,
}: {
  record: WaitingRecord;
  store: Store;
  onEdit: () => void;
}): JSX.Element {
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
        {record.draft && (
          <button type="button" onClick={onEdit}>
            Edit…
          </button>
        )}
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
