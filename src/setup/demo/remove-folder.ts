import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSystemError } from '../../errors.ts';

/** Ten seconds: a drain that was woken still writes for a moment. */
const ATTEMPTS = 50;
const PAUSE_MS = 200;

/** Removes a folder in which a drain may still write, which Node's `maxRetries` would wait for in vain. */
export async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rm(folder, { recursive: true, force: true });
    } catch (error) {
      if (attempt >= ATTEMPTS || !isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM')) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
