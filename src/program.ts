import { COMMANDS as SURFACES } from './surfaces/cli/main.ts';
import { type Commands, run } from './surfaces/cli/run.ts';

// The hub is registered here and nowhere else: no other file outside `hub/` imports it.

/** Every command, in the order of the help. */
export const COMMANDS: Commands = { ...SURFACES, hub: () => import('./hub/commands/hub.ts') };

/** Runs the command line; returns the exit code. */
export function main(args: string[], process: NodeJS.Process): Promise<number> {
  return run(args, process, COMMANDS, async (...asked) => {
    await (await import('./hub/commands/search.ts')).answerFromHub(...asked);
  });
}
