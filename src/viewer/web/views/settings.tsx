import type { JSX } from 'preact';
import type { ViewProps } from '../app.tsx';

export function SettingsView({ meta }: ViewProps): JSX.Element {
  return <p>{meta.repository}</p>;
}
