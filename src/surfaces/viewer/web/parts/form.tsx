import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Name } from '../../protocol.ts';
import { SourceError } from '../source.ts';

/** A control with its label above it. */
export function Field({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is its child
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** Names that a field with this list offers. */
export function Names({ id, names }: { id: string; names: Name[] }): JSX.Element {
  return (
    <datalist id={id}>
      {names.map(({ name, count }) => (
        <option key={name} value={name} label={`${name} (${count})`} />
      ))}
    </datalist>
  );
}

/** An error, and the next step. */
export function Problem({ error }: { error: Error }): JSX.Element {
  return (
    <div class="problem" role="alert">
      <strong>{error.message}</strong>
      {error instanceof SourceError && error.hint && <p>{error.hint}</p>}
    </div>
  );
}

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  isHeld?: boolean;
}

/**
 * A modal window; Escape and a click outside close it, and the focus returns to where it was. While `isHeld`, only its
 * buttons close it, so that no input is lost.
 */
export function Dialog({ title, onClose, children, isHeld = false }: DialogProps): JSX.Element {
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
        <header class="line">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet end" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
