import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** A file or folder of the data next to the checkout; undefined where there is none. */
export function sharedFolder(...parts: string[]): string | undefined {
  const path = resolve('..', 'shared', ...parts);
  return existsSync(path) ? path : undefined;
}

let unpacked: string | undefined;

/** The folder of the recorded sessions, unpacked once; undefined where the recordings do not lie beside the checkout. */
export function sessionsFolder(): string | undefined {
  const script = sharedFolder('sessions', 'unpack.sh');
  if (script === undefined) return undefined;
  unpacked ??= execFileSync('sh', [script], { encoding: 'utf8' }).trim();
  return unpacked;
}
