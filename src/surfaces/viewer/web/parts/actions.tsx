import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Action, Card, Meta, NewRecord } from '../../protocol.ts';
import type { Store } from '../store.ts';
import { Editor } from './editor.tsx';
import { MARKS, type MarkAction, MarkButton } from './mark-button.tsx';

interface ActionsProps {
  card: Card;
  draft: NewRecord;
  store: Store;
  meta: Meta;
}

/**
 * The actions on a record, a button each. Each writes one more file, like the command line; nothing else is changed.
 */
export function Actions({ card, draft, store, meta }: ActionsProps): JSX.Element | null {
  const isReplacing = useSignal(false);
  if (card.kind === 'mark') return null;
  const ids = [card.id];
  const isOver = card.retired || card.superseded_by.length > 0;
  const isMarked = card.pinned || card.verified || card.redacted || isOver;
  const act = (action: Action, words: string) => void store.act(action, words);
  const said: [name: MarkAction, isSaid: boolean][] = [
    ['pin', card.pinned || isOver],
    ['verify', card.verified || isOver],
    ['retire', card.retired],
    ['redact', card.redacted],
  ];
  return (
    <section class="actions line" aria-label="What to do with this record">
      {card.trust === 'unreviewed' && (
        <ActionButton
          name="Trust"
          isPrimary
          title="It counts on this clone from now on."
          onClick={() => act({ action: 'trust', ids }, 'Trusted on this clone.')}
        />
      )}
      {card.kind === 'observation' && !card.redacted && (
        <ActionButton
          name="Edit…"
          title="The corrected record takes its place; this one stays in the history."
          onClick={() => (isReplacing.value = true)}
        />
      )}
      {said
        .filter(([, isSaid]) => !isSaid && !card.redacted)
        .map(([name]) => (
          <MarkButton
            key={name}
            name={name}
            onDone={(reason) => act({ action: name, ids, reason }, MARKS[name].done)}
          />
        ))}
      {card.store === 'private' && card.kind !== 'prompt' && (
        <ActionButton
          name="Promote"
          title="The team gets it too, with the next commit."
          onClick={() => act({ action: 'promote', ids }, 'Copied to the team’s store.')}
        />
      )}
      {isMarked && (
        <ActionButton
          name="Undo marks"
          title="Its marks are taken back: pinned, verified, retired, superseded, redacted."
          onClick={() => act({ action: 'undo', ids }, 'Its marks are taken back.')}
        />
      )}
      {isReplacing.value && (
        <Editor
          title="Edit this record"
          draft={draft}
          store={store}
          meta={meta}
          into={card.store}
          onClose={() => (isReplacing.value = false)}
        />
      )}
    </section>
  );
}

interface ActionButtonProps {
  name: string;
  title: string;
  isPrimary?: true;
  onClick: () => void;
}

function ActionButton({ name, title, isPrimary, onClick }: ActionButtonProps): JSX.Element {
  return (
    <button type="button" class={isPrimary && 'primary'} title={title} onClick={onClick}>
      {name}
    </button>
  );
}
