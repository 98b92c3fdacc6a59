import type { JSX } from 'preact';
import { linkTo } from '../route.ts';
import { PlainText } from './plain-text.tsx';

/** A record by its title, or by its id if it is not here. */
export function RecordLink({ id, title }: { id: string; title: string }): JSX.Element {
  return (
    <a class="record-link" href={linkTo({ view: 'record', id })}>
      <PlainText text={title || id} />
    </a>
  );
}
