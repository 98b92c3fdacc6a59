import type { ComponentChildren, JSX } from 'preact';
import { linkTo } from '../route.ts';
import { PlainText } from './plain-text.tsx';

/** A link out of the viewer, in a new tab; plain text if no address is known. */
export function Outside({ url, children }: { url: string | undefined; children: ComponentChildren }): JSX.Element {
  if (url === undefined) return <>{children}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** A record by its title, or by its id if it is not here. */
export function RecordLink({ id, title }: { id: string; title: string }): JSX.Element {
  return (
    <a class="record-link" href={linkTo({ view: 'record', id })}>
      <PlainText text={title || id} />
    </a>
  );
}
