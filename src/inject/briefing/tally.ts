import { join } from 'node:path';
import type { Checkout } from '../../git/locate.ts';
import { idOf } from '../../memory/id.ts';

type Noted = 'pinned' | 'heads' | 'citations' | 'renames';

/** The path of a checkout's notes on something; for `citations` it is a folder, without an extension. */
export function tallyPath(state: string, { root }: Checkout, what: Noted): string {
  return join(state, 'tally', `${idOf(root)}-${what}.json`);
}
