import type { ComponentChildren, JSX } from 'preact';

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
export function Names({ id, names }: { id: string; names: string[] }): JSX.Element {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
