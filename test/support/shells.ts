import { spawnSync } from 'node:child_process';

/** Tells whether a shell is installed here; without it, tests of its completion are skipped by name. */
export function hasShell(name: string): boolean {
  return spawnSync(name, ['--version']).status === 0;
}
