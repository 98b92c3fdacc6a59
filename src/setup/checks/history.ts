import { shallowCommits } from '../../git/shallow.ts';
import { type Check, type Patient, warn } from '../check.ts';

/** Warns if git has only the end of the history, in which commits of records and changes of files are looked up. */
export function checkHistory({ workspace }: Patient): Check[] {
  if (shallowCommits(workspace.checkout.commonDir).size === 0) return [];
  return [
    warn(
      'history',
      'The history ends early here (a shallow clone): where the work of older records landed is not known.',
      'Run `git fetch --unshallow`.',
    ),
  ];
}
