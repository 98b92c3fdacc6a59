/** What keys do, by their names; two keys after each other are separated by a space. */
export type Bindings = Record<string, (event: KeyboardEvent) => void>;

/** How long the second key of a pair may take, in milliseconds. */
const PAIR_MS = 1000;

/**
 * Listens until the returned function is called. Keys do nothing while somebody types, or with Ctrl, Alt or Meta held:
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
