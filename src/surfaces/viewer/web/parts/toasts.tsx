import type { JSX } from 'preact';
import type { Store } from '../store.ts';

/** Short messages about what just happened. */
export function Toasts({ store }: { store: Store }): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {store.toasts.value.map(({ key, text, level, undo }) => (
        <div key={key} class={`toast ${level}`}>
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              onClick={() => {
                store.toasts.value = store.toasts.value.filter((one) => one.key !== key);
                undo();
              }}
            >
              Undo
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
