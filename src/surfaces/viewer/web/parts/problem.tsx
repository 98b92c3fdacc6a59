import type { JSX } from 'preact';
import { SourceError } from '../source.ts';

/** An error, and the next step. */
export function Problem({ error }: { error: Error }): JSX.Element {
  return (
    <div class="problem" role="alert">
      <strong>{error.message}</strong>
      {error instanceof SourceError && error.hint && <p>{error.hint}</p>}
    </div>
  );
}
