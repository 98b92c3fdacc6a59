import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The commits at which a shallow clone's history ends: each seems to have added everything. Empty in a full clone. */
export function shallowCommits(commonDir: string): Set<string> {
  try {
    return new Set(readFileSync(join(commonDir, 'shallow'), 'utf8').split('\n').filter(Boolean));
  } catch {
    return new Set(); // The whole history is here.
  }
}
