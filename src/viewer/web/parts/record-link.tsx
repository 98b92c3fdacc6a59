import type { JSX } from 'preact';
import { linkTo } from '../route.ts';

/** A record by its title; of one that is not here, its id. */
export function RecordLink({ id, title }: { id: string; title: string }): JSX.Element {
  return (
    <a class="record-link" href={linkTo({ view: 'record', id })}>
      <bdi>{title || id}</bdi>
    </a>
  );
}
