import { statSync } from 'node:fs';
import { GitMemError } from '../../errors.ts';

/**
 * Rejects a device that a person named as a file: reading /dev/zero never ends. Pipes do end, and for a folder the
 * reader reports the problem. Throws bad-input, and system errors if the file does not exist.
 */
export function refuseDevice(path: string, name: string): void {
  const stat = statSync(path);
  if (stat.isFile() || stat.isFIFO() || stat.isDirectory()) return;
  throw new GitMemError('bad-input', `${name} is neither a file nor a pipe.`);
}
