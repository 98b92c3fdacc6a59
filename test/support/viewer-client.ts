import { onTestFinished } from 'vitest';
import { openProject } from '../../src/project.ts';
import { startViewer as serve } from '../../src/surfaces/viewer/server.ts';
import type { TestRepository } from './repository.ts';
import type { AtEnd } from './set-up.ts';
import { connectViewer, openViewer, type ViewerClient, type ViewerProgram } from './viewer-connection.ts';

/**
 * Starts the viewer within this process, with its real server, and opens its address. It stops with the test, unless
 * `atEnd` ties it to several tests.
 */
export async function startViewer(
  { root, env }: Pick<TestRepository, 'root' | 'env'>,
  atEnd: AtEnd = onTestFinished,
): Promise<ViewerClient> {
  const viewer = await serve(openProject(root, env), {
    port: 0,
    keep: true,
    now: () => new Date(),
    onError: (error) => console.error('The viewer:', error),
  });
  atEnd(() => viewer.close());
  return connectViewer(viewer);
}

/** The same with the built program in a process of its own, where that is what is tested. */
export function startProgram(repository: TestRepository): Promise<ViewerProgram> {
  return openViewer(repository, (child) => {
    const over = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await over;
    });
  });
}
