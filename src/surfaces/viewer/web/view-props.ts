import type { Meta } from '../protocol.ts';
import type { Store } from './store.ts';

/** What every page is given. */
export interface ViewProps {
  store: Store;
  meta: Meta;
}
