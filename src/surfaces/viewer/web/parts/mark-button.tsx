import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

export type MarkAction = 'pin' | 'verify' | 'retire' | 'redact';

/** The name of each mark, its confirmation, and its meaning. */
export const MARKS: Record<MarkAction, { name: string; done: string; about: string }> = {
  pin: { name: 'Pin', done: 'Pinned.', about: 'It is injected into every session, however old it is.' },
  verify: { name: 'Verify', done: 'Verified.', about: 'Somebody looked, and it still holds.' },
  retire: { name: 'Retire', done: 'Retired.', about: 'It no longer holds, and nothing replaces it.' },
  redact: {
    name: 'Redact',
    done: 'Redacted.',
    about:
      'It is hidden everywhere, and its text is kept from being captured again. The file and its history still hold it: `git mem scrub` shows how to remove it.',
  },
};

/** Asks for the reason, then makes the mark. */
export function MarkButton({ name, onDone }: { name: MarkAction; onDone: (reason: string) => void }): JSX.Element {
  const isAsking = useSignal(false);
  const reason = useSignal('');
  const { name: word, about } = MARKS[name];
  const close = () => {
    isAsking.value = false;
    reason.value = '';
  };
  return (
    <>
      <button type="button" title={about} onClick={() => (isAsking.value = true)}>
        {word}…
      </button>
      {isAsking.value && (
        <Dialog title={word} onClose={close}>
          <form
            class="reason"
            onSubmit={(event) => {
              event.preventDefault();
              const given = reason.value.trim();
              close();
              onDone(given);
            }}
          >
            <p>{about}</p>
            <Field label="Why, for the reviewer (may be empty)">
              <input
                autocomplete="off"
                value={reason.value}
                onInput={(event) => (reason.value = event.currentTarget.value)}
              />
            </Field>
            <div class="line end">
              <button type="button" onClick={close}>
                Cancel
              </button>
              <button type="submit" class="primary">
                {word}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
