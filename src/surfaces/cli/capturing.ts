import { existsSync } from 'node:fs';
import { GitMemError } from '../../errors.ts';
import type { Project } from '../../project.ts';
import type { Context } from './command.ts';

/** The project to capture into; undefined, with a message, if nothing should be captured. Throws not-initialised. */
export function capturingProject({ env, stderr, project: open }: Context): Project | undefined {
  const project = open();
  if (env.GIT_MEM === '0') {
    stderr.write('GIT_MEM=0 is set: nothing is captured.\n');
    return undefined;
  }
  if (!existsSync(project.workspace.layout.memory)) {
    throw new GitMemError('not-initialised', 'This checkout has no .memory folder.', {
      hint: 'Run `git mem init` first.',
    });
  }
  return project;
}

/** Does work that Ctrl-C, or a process manager's termination signal, aborts. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}
