import type { QUICK_COMMANDS } from './quick-commands.ts';
import { type Commands, run } from './run.ts';

const COMMANDS: Record<(typeof QUICK_COMMANDS)[number], Commands[string]> = {
  status: () => import('./commands/status.ts'),
  list: () => import('./commands/list.ts'),
  search: () => import('./commands/search.ts'),
  show: () => import('./commands/show.ts'),
};

/** Runs one of these commands; returns the exit code. */
export function quick(args: string[], process: NodeJS.Process): Promise<number> {
  return run(args, process, COMMANDS);
}
