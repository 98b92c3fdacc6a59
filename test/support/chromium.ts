import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where a browser lies on this machine: where CHROMIUM says, or in the usual places; undefined without any. */
export function findChromium(): string | undefined {
  const { CHROMIUM: named, PATH = '' } = process.env;
  if (named) return named;
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = ['/usr/bin', ...PATH.split(':')];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
