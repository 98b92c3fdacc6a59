import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WaitingRecord } from '../../protocol.ts';
import { dateOf } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import { Editor } from '../parts/editor.tsx';
import { Button, Problem } from '../parts/form.tsx';
import { PlainText, RecordLink } from '../parts/plain-text.tsx';
import type { ViewProps } from '../route.ts';
import { type Store, useLoading } from '../store.ts';

/** What waits for a person: each record is accepted or dropped, the first one by a key. */
export function InboxView({ store, meta }: ViewProps): JSX.Element {
  const edited = useSignal<WaitingRecord | undefined>(undefined);
  const { value, problem } = useLoading(store, (source, signal) => source.inbox(signal));
  const first = value?.records[0];
  const settle = useSettle();
  const acceptOne = ({ id }: WaitingRecord) => settle(id, () => accept(store, id));
  const dropOne = ({ id }: WaitingRecord) => settle(id, () => drop(store, id));
  // Before the browser paints: a key must never reach a record that is no longer the first one shown.
  useLayoutEffect(() => {
    if (first === undefined) return;
    const edit = () => {
      edited.value = first;
    };
    return shortcuts({
      a: () => acceptOne(first),
      d: () => dropOne(first),
      ...(first.draft && { e: edit }),
    });
  }, [first?.id]);
  if (problem) return <Problem error={problem} />;
  return (
    <div class="stack">
      <h1>Inbox</h1>
      {!value && <div class="skeleton" aria-busy="true" />}
      {value?.records.length === 0 && <p class="empty">The inbox is empty.</p>}
      {first !== undefined && (
        <p class="soft">
          Written by sessions, and accepted by nobody yet. <kbd>a</kbd> accepts the first one, <kbd>e</kbd> edits it
          first, <kbd>d</kbd> drops it.
        </p>
      )}
      {value?.records.map((record) => (
        <WaitingPanel key={record.id} record={record}>
          <Button name="Accept" class="primary" onClick={() => acceptOne(record)} />
          {record.draft && <Button name="Edit…" onClick={() => (edited.value = record)} />}
          <Button name="Drop" onClick={() => dropOne(record)} />
        </WaitingPanel>
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

function WaitingPanel({ record, children }: { record: WaitingRecord; children: ComponentChildren }): JSX.Element {
  const { id, type, title, created, texts, files } = record;
  return (
    <article class="panel stack" aria-label={title}>
      <h2>
        <RecordLink id={id} title={title} />
      </h2>
      <PlainText class="soft" text={[type, dateOf(created), ...files].join(' · ')} />
      {texts.map((text) => (
        <PlainText key={text} text={text} />
      ))}
      <div class="line">{children}</div>
    </article>
  );
}

function accept(store: Store, id: string): Promise<unknown> {
  return store.act({ action: 'promote', ids: [id] }, 'Accepted: it goes to the team with the next commit.');
}

function drop(store: Store, id: string): Promise<unknown> {
  return store.act({ action: 'retire', ids: [id], reason: 'Dropped.' }, 'Dropped.');
}
