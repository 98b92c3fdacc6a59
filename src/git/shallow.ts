import { join } from 'node:path';
import { existsSync } from '../looks.ts';
import { textOf } from './locate.ts';

/** The commits at which a shallow clone's history ends: each seems to add every file. Empty in a full clone. */
export function shallowCommits(commonDir: string): Set<string> {
  return new Set(shallowText(commonDir).split('\n').filter(Boolean));
}

/** The text of the file that lists them, which changes when a clone is deepened; empty in a full clone. */
export function shallowText(commonDir: string): string {
  return textOf(join(commonDir, 'shallow')) ?? '';
}

/** Whether this is a partial clone, in which contents, and maybe trees, are fetched only when they are needed. */
export function isPartial(commonDir: string): boolean {
  return /^\s*(?:partialclone|promisor)\s*=/im.test(textOf(join(commonDir, 'config')) ?? '');
}

/** Whether this is a sparse checkout, whose working tree lacks files that its commit has. */
export function isSparse(gitDir: string): boolean {
  return existsSync(join(gitDir, 'info', 'sparse-checkout'));
}
