import { join } from 'node:path';
import { textOf } from './locate.ts';

/** The commits at which a shallow clone's history ends: each seems to have added everything. Empty in a full clone. */
export function shallowCommits(commonDir: string): Set<string> {
  return new Set(textOf(join(commonDir, 'shallow'))?.split('\n').filter(Boolean));
}
