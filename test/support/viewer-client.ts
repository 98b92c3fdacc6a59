import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { registered } from '../../src/exchange/places/registry.ts';
import { openProject } from '../../src/project.ts';
import { type Opening, oneMemory, severalMemories } from '../../src/surfaces/viewer/served.ts';
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
  return serving(oneMemory(openProject(root, env)), atEnd);
}

/** The same over the user's repositories. */
export function startViewerOfAll(env: TestRepository['env'], atEnd: AtEnd = onTestFinished): Promise<ViewerClient> {
  return serving(
    severalMemories(registered(env), env, () => {}),
    atEnd,
  );
}

async function serving(open: Opening, atEnd: AtEnd): Promise<ViewerClient> {
  const viewer = await serve(open, {
    port: 0,
    keep: true,
    now: () => new Date(),
    onError: (error) => console.error('The viewer:', error),
  });
  atEnd(() => viewer.close());
  return connectViewer(viewer);
}

/** The same with the built program in a process of its own, where that is what is tested. */
export function startProgram(repository: TestRepository, args: string[] = []): Promise<ViewerProgram> {
  const onStart = (child: ChildProcess) => {
    const over = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await over;
    });
  };
  return openViewer(repository, onStart, args);
}
