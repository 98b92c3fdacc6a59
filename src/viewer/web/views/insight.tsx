import type { JSX } from 'preact';
import type { ViewProps } from '../app.tsx';

export function InsightView({ meta }: ViewProps): JSX.Element {
  return <p>{meta.repository}</p>;
}
