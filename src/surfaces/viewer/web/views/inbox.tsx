import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WaitingRecord } from '../../protocol.ts';
import { dayAndTime } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { useLoading } from '../loading.ts';
import { Editor } from '../parts/editor.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { linkTo, type ViewProps } from '../route.ts';
import type { Store } from '../store.ts';

/** What waits for a person: each record is accepted or dropped, the first one by a key. */
export function InboxView({ store, meta }: ViewProps): JSX.Element {
  const edited = useSignal<WaitingRecord | undefined>(undefined);
  const { value, problem } = useLoading(store, (source, signal) => source.inbox(signal));
  const first = value?.records[0];
  const settle = useSettle();
  // Before the browser paints: a key must never reach a record that is no longer the first one shown.
  useLayoutEffect(() => {
    if (first === undefined) return;
    const edit = () => {
      edited.value = first;
    };
    return shortcuts({
      a: () => settle(first.id, () => accept(store, first.id)),
      d: () => settle(first.id, () => drop(store, first.id)),
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
        <WaitingPanel
          key={record.id}
          record={record}
          onAccept={() => settle(record.id, () => accept(store, record.id))}
          onDrop={() => settle(record.id, () => drop(store, record.id))}
          onEdit={() => (edited.value = record)}
        />
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

/** Runs at most one action on a record, unless that one failed: the list shows a settled record until its next answer. */
function useSettle(): (id: string, act: () => Promise<unknown>) => void {
  const settled = useRef(new Set<string>());
  return (id, act) => {
    if (settled.current.has(id)) return;
    settled.current.add(id);
    void act().then((acted) => {
      if (acted === undefined) settled.current.delete(id);
    });
  };
}

interface WaitingPanelProps {
  record: WaitingRecord;
  onAccept: () => void;
  onDrop: () => void;
  onEdit: () => void;
}

function WaitingPanel({ record, onAccept, onDrop, onEdit }: WaitingPanelProps): JSX.Element {
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
      <div class="actions line">
        <button type="button" class="primary" onClick={onAccept}>
          Accept
        </button>
        {record.draft && (
          <button type="button" onClick={onEdit}>
            Edit…
          </button>
        )}
        <button type="button" onClick={onDrop}>
          Drop
        </button>
      </div>
    </article>
  );
}

function accept(store: Store, id: string): Promise<unknown> {
  return store.act({ action: 'promote', ids: [id] }, 'Accepted: it goes to the team with the next commit.');
}

function drop(store: Store, id: string): Promise<unknown> {
  return store.act({ action: 'retire', ids: [id], reason: 'Dropped.' }, 'Dropped.');
}
