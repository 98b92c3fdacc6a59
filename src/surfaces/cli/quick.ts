import { withPlainStreams } from './plain-streams.ts';
import type { QUICK_COMMANDS } from './quick-commands.ts';
import { type Commands, run } from './run.ts';

const COMMANDS: Record<(typeof QUICK_COMMANDS)[number], Commands[string]> = {
  status: () => import('./commands/status.ts'),
  list: () => import('./commands/list.ts'),
  search: () => import('./commands/search.ts'),
  show: () => import('./commands/show.ts'),
  'pre-commit': () => import('./commands/pre-commit.ts'),
};

/** Runs one of these commands; returns the exit code, and whether all output is written. */
export async function quick(args: string[], process: NodeJS.Process): Promise<{ code: number; isWritten: boolean }> {
  const plain = withPlainStreams(process);
  const code = await run(args, plain.process, COMMANDS);
  // A write that failed says so now.
  await new Promise((done) => setImmediate(done));
  return { code, isWritten: plain.isWritten() };
}
