import { type Cost, costOf, type Failure } from './child-cost.ts';
import type { Scene } from './subjects.ts';

export interface StatusCost {
  name: string;
  cost: Cost | Failure;
}

/** What `git status` costs here: as it is, and with git's cache of untracked files, which has to be filled once. */
export function gitStatusCosts({ cwd, env }: Scene, when: string): StatusCost[] {
  // Unlike git-mem's own children, a person's git status may write what it learned into the index.
  const asPerson = { ...env, GIT_OPTIONAL_LOCKS: '1' };
  const status = (...options: string[]) =>
    costOf({ cwd, env: asPerson, command: ['git', ...options, 'status', '--short'], runs: 3 });
  status();
  const plain = status();
  const untracked = ['-c', 'core.untrackedCache=true'];
  costOf({ cwd, env: asPerson, command: ['git', 'update-index', '--untracked-cache'] });
  status(...untracked);
  const cached = status(...untracked);
  costOf({ cwd, env: asPerson, command: ['git', 'update-index', '--no-untracked-cache'] });
  return [
    { name: `git status, ${when}`, cost: plain },
    { name: `git status, ${when}, core.untrackedCache`, cost: cached },
  ];
}
