import type { Layout } from '../../memory/store/layout.ts';
import { countEvents } from '../spool/spool.ts';

/** How many events wait, and how many were set aside as unreadable, in every place where a hook may have put them. */
export function backlog({ state, otherStates }: Layout): { pending: number; failed: number } {
  const counts = [state, ...otherStates].map(countEvents);
  return {
    pending: counts.reduce((sum, { pending }) => sum + pending, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}
