import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
  isHeld?: boolean;
}

/**
 * A modal window; Escape and a click outside close it, and the focus returns to where it was. While `isHeld`, only its
 * buttons close it, so that no input is lost.
 */
export function Dialog({ title, onClose, children, wide = false, isHeld = false }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = ref;
    const before = document.activeElement;
    current?.showModal();
    current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return () => {
      current?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else document.getElementById('main')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        if (isHeld) event.preventDefault();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current && !isHeld) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
