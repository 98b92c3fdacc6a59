import type { ComponentChildren, ComponentProps, JSX } from 'preact';
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

/** A button that says what it does; it submits a form only if its type says so. */
export function Button({ name, ...rest }: ComponentProps<'button'> & { name: string }): JSX.Element {
  return (
    <button type="button" {...rest}>
      {name}
    </button>
  );
}

/** In place of an answer: that it is on its way, or why there is none. */
export function Pending({ problem }: { problem: Error | undefined }): JSX.Element {
  return problem ? <Problem error={problem} /> : <div class="skeleton" aria-busy="true" />;
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
          <Button name="✕" class="quiet end" aria-label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
