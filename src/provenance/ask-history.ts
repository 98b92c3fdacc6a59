import { COMMAND_PATIENCE_MS, runGit } from '../git/objects.ts';
import type { Workspace } from '../memory/store/workspace.ts';

/** The answer of git to a question about the history, for which a command waits; undefined if it gives none. */
export async function askHistory(
  { checkout, env }: Workspace,
  args: string[],
  input = '',
): Promise<string | undefined> {
  return runGit(checkout.root, args, env, { input, patienceMs: COMMAND_PATIENCE_MS });
}
