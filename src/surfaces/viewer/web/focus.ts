/** What screen readers tell as one thing: it takes the focus of a button inside of it that is gone. */
const GROUPS = 'li, ul, form, dialog, section, article, aside, nav, main, [role="group"], [role="feed"]';

/**
 * Keeps the focus near where it was when its element is taken away or disabled, which browsers leave to the page: the
 * nearest group around it that is still there has it then. Listens until the returned function is called.
 */
export function keepFocus(): () => void {
  /** The element with the focus and all around it, the nearest first; and the last such way inside the page itself. */
  let [way, onPage]: [Element[], Element[]] = [[], []];

  const note = ({ target }: FocusEvent) => {
    way = wayOf(target);
    if (way.some(({ id }) => id === 'main')) onPage = way;
  };
  const leave = () => {
    // After what takes the element away, which looks the same: a reader who left it on purpose is not sent back.
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

/** Nothing has the focus. */
function isBare(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
