import { spawnSync } from 'node:child_process';

/** Whether this machine has git-filter-repo, by which `scrub` rewrites history where it is there. */
export const HAS_FILTER_REPO = spawnSync('git', ['filter-repo', '--version']).status === 0;
