import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Action, Card, Meta } from '../../protocol.ts';
import type { Store } from '../store.ts';
import { Dialog } from './dialog.tsx';
import { type Draft, Editor } from './editor.tsx';

type MarkAction = 'pin' | 'verify' | 'retire' | 'redact';

const MARKS: Record<MarkAction, { name: string; done: string; about: string }> = {
  pin: { name: 'Pin', done: 'Pinned.', about: 'It is told to every session, however old it is.' },
  verify: { name: 'Verify', done: 'Verified.', about: 'It was looked at and still holds.' },
  retire: { name: 'Retire', done: 'Retired.', about: 'It no longer holds, and nothing replaces it.' },
  redact: {
    name: 'Redact',
    done: 'Redacted.',
    about:
      'It is hidden everywhere, and its text is kept from being captured again. The file and its history still hold it: `git mem scrub` says how to take it out.',
  },
};

/** What can be done with a record. Each writes one more file, as the command line does; nothing else is changed. */
export function Actions({
  card,
  draft,
  store,
  meta,
}: {
  card: Card;
  draft: Draft;
  store: Store;
  meta: Meta;
}): JSX.Element {
  const asked = useSignal<MarkAction | undefined>(undefined);
  const isReplacing = useSignal(false);
  const ids = [card.id];
  const isMarked = card.pinned || card.verified || card.retired || card.redacted || card.superseded_by.length > 0;
  const act = (action: Action, done: string) => void store.act(action, done);
  return (
    <section class="actions" aria-label="What to do with this record">
      {!card.pinned && <Ask name="pin" onAsk={() => (asked.value = 'pin')} />}
      {!card.verified && <Ask name="verify" onAsk={() => (asked.value = 'verify')} />}
      {!card.retired && <Ask name="retire" onAsk={() => (asked.value = 'retire')} />}
      {card.kind === 'observation' && (
        <button type="button" onClick={() => (isReplacing.value = true)}>
          Supersede
        </button>
      )}
      {card.store === 'private' && card.kind !== 'prompt' && (
        <button type="button" onClick={() => act({ action: 'promote', ids }, 'Copied to the team’s store.')}>
          Promote
        </button>
      )}
      {card.trust === 'unreviewed' && (
        <button type="button" onClick={() => act({ action: 'trust', ids }, 'Trusted on this clone.')}>
          Trust
        </button>
      )}
      {isMarked && (
        <button type="button" onClick={() => act({ action: 'undo', ids }, 'Its marks are taken back.')}>
          Undo marks
        </button>
      )}
      {!card.redacted && <Ask name="redact" onAsk={() => (asked.value = 'redact')} />}
      {asked.value && (
        <Reason
          name={asked.value}
          onClose={() => (asked.value = undefined)}
          onDone={(reason) => {
            const action = asked.value;
            asked.value = undefined;
            if (action) act({ action, ids, reason }, MARKS[action].done);
          }}
        />
      )}
      {isReplacing.value && (
        <Editor
          title="Supersede this record"
          draft={{ ...draft, supersedes: ids }}
          store={store}
          meta={meta}
          into={card.store}
          onClose={() => (isReplacing.value = false)}
        />
      )}
    </section>
  );
}

function Ask({ name, onAsk }: { name: MarkAction; onAsk: () => void }): JSX.Element {
  return (
    <button type="button" title={MARKS[name].about} onClick={onAsk}>
      {MARKS[name].name}
    </button>
  );
}

function Reason({
  name,
  onClose,
  onDone,
}: {
  name: MarkAction;
  onClose: () => void;
  onDone: (reason: string) => void;
}): JSX.Element {
  const reason = useSignal('');
  return (
    <Dialog title={MARKS[name].name} onClose={onClose}>
      <form
        class="reason"
        onSubmit={(event) => {
          event.preventDefault();
          onDone(reason.value.trim());
        }}
      >
        <p>{MARKS[name].about}</p>
        <label>
          <span>Why, for whoever reviews it (may be empty)</span>
          <textarea rows={3} value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />
        </label>
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            {MARKS[name].name}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
