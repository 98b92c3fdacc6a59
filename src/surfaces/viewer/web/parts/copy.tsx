import type { JSX } from 'preact';
import type { Store } from '../store.ts';

/** Copies a text to the clipboard, and confirms it. */
export function Copy({ text, name, store }: { text: string; name: string; store: Store }): JSX.Element {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      store.say(`The ${name} is copied.`);
    } catch {
      store.say(`The browser does not let pages copy. The ${name}: ${text}`, { level: 'error' });
    }
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      Copy {name}
    </button>
  );
}
