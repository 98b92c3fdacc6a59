import type { JSX } from 'preact';

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
