import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Path of a browser on this machine, from CHROMIUM or the usual places; undefined if there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM: named, PATH = '' } = process.env;
  if (named) return named;
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = ['/usr/bin', ...PATH.split(':')];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
