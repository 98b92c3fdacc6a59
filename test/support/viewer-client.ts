import { onTestFinished } from 'vitest';
import type { TestRepository } from './repository.ts';
import { openViewer, type ViewerClient } from './viewer-connection.ts';

/** Starts the real program, opens its address, and ends it with the test. */
export function startViewer(repository: TestRepository): Promise<ViewerClient> {
  return openViewer(repository, (child) => onTestFinished(() => void child.kill('SIGKILL')));
}
