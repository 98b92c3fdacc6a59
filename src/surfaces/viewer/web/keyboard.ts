/** Key bindings, by key name; two keys in succession are separated by a space. */
export type Bindings = Record<string, (event: KeyboardEvent) => void>;

/** Longest time between the two keys of a pair, in milliseconds: a later key counts on its own. */
const PAIR_MS = 1000;

/** All listeners, newest last: the newest gets a key first, and a pair takes precedence over any single key. */
const listening: Bindings[] = [];
let first = { key: '', at: 0 };

/**
 * Listens until the returned function is called. Ignores keys while the user is typing, or with Ctrl, Alt or Meta held:
 * those belong to the browser.
 */
export function shortcuts(bindings: Bindings): () => void {
  if (listening.push(bindings) === 1) addEventListener('keydown', listen);
  return () => {
    listening.splice(listening.indexOf(bindings), 1);
    if (listening.length === 0) removeEventListener('keydown', listen);
  };
}

function listen(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
  const pair = event.timeStamp - first.at < PAIR_MS ? `${first.key} ${event.key}` : '';
  const boundTo = (key: string) => listening.findLast((one) => one[key] !== undefined)?.[key];
  const run = boundTo(pair) ?? boundTo(event.key);
  first = run ? { key: '', at: 0 } : { key: event.key, at: event.timeStamp };
  if (!run) return;
  event.preventDefault();
  run(event);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('dialog') !== null
  );
}

/** Elements that screen readers announce as one unit: they receive the focus when a button inside them is removed. */
const GROUPS = 'li, ul, form, dialog, section, article, aside, nav, main, [role="group"], [role="feed"]';

/**
 * Keeps the focus near where it was when its element is removed or disabled, which browsers leave to the page: the
 * nearest remaining group around it gets the focus. Listens until the returned function is called.
 */
export function keepFocus(): () => void {
  /** The focused element and its ancestors, nearest first; and the last such path inside the page itself. */
  let [way, onPage]: [Element[], Element[]] = [[], []];

  const note = ({ target }: FocusEvent) => {
    way = wayOf(target);
    if (way.some(({ id }) => id === 'main')) onPage = way;
  };
  const leave = () => {
    // Waits until after a removal, which looks the same as leaving: a reader who left on purpose is not sent back.
    queueMicrotask(() => {
      if (isBare() && way[0] && isThere(way[0])) way = [];
    });
  };
  const restore = () => {
    const [lost] = way;
    if (lost === undefined || isThere(lost) || (!isBare() && document.activeElement !== lost)) return;
    const next = way.find(isGroup) ?? onPage.find((one, i) => (i === 0 ? isThere(one) : isGroup(one)));
    if (!(next instanceof HTMLElement)) return;
    if (next.tabIndex < 0) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };

  addEventListener('focusin', note);
  addEventListener('focusout', leave);
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    removeEventListener('focusin', note);
    removeEventListener('focusout', leave);
    observer.disconnect();
  };
}

function wayOf(target: EventTarget | null): Element[] {
  const way: Element[] = [];
  for (let one = target instanceof Element ? target : null; one !== null; one = one.parentElement) way.push(one);
  return way;
}

function isThere(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled');
}

function isGroup(element: Element): boolean {
  return element.isConnected && element.matches(GROUPS);
}

function isBare(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
