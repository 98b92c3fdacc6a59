/** Key bindings, by key name; two keys in succession are separated by a space. */
export type Bindings = Record<string, (event: KeyboardEvent) => void>;

/** Longest time between the two keys of a pair, in milliseconds: a later key is meant by itself. */
const PAIR_MS = 1000;

/**
 * Listens until the returned function is called. Ignores keys while the user is typing, or with Ctrl, Alt or Meta held:
 * those belong to the browser.
 */
export function shortcuts(bindings: Bindings): () => void {
  let first: { key: string; at: number } | undefined;
  const listen = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    const pair = first && event.timeStamp - first.at < PAIR_MS ? `${first.key} ${event.key}` : undefined;
    const run = (pair === undefined ? undefined : bindings[pair]) ?? bindings[event.key];
    first = run ? undefined : { key: event.key, at: event.timeStamp };
    if (!run) return;
    event.preventDefault();
    run(event);
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('dialog') !== null
  );
}
