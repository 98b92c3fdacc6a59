import type { Meta } from '../protocol.ts';
import type { Store } from './store.ts';

/** The props of every page. */
export interface ViewProps {
  store: Store;
  meta: Meta;
}
