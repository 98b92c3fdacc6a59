import { statSync } from 'node:fs';
import { GitMemError } from '../../errors.ts';

/**
 * Refuses a device that a person named as a file: reading /dev/zero never ends. Pipes end, and of a folder the reader says
 * what is wrong. Throws bad-input, and system errors where nothing is there.
 */
export function refuseDevice(path: string, name: string): void {
  const stat = statSync(path);
  if (stat.isFile() || stat.isFIFO() || stat.isDirectory()) return;
  throw new GitMemError('bad-input', `${name} is neither a file nor a pipe.`);
}
