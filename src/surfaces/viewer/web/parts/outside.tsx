import type { ComponentChildren, JSX } from 'preact';

/** A link out of the viewer, in a new tab; plain text if no address is known. */
export function Outside({ url, children }: { url: string | undefined; children: ComponentChildren }): JSX.Element {
  if (url === undefined) return <>{children}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
