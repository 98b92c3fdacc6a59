import { writeSync } from 'node:fs';
import { isSystemError } from './errors.ts';

/** Writes without Node's streams, which load slowly; returns what a full pipe that does not block did not take. */
export function writeNow(fd: number, text: string): Uint8Array {
  let rest: Uint8Array = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
  } catch (error) {
    if (!isSystemError(error, 'EAGAIN')) throw error;
  }
  return rest;
}
