import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from './json.ts';

/** Reads a file of `templates/`, which is beside `src/` in a checkout and beside `dist/` in the package. */
export function readTemplate(name: string): string {
  return readFileSync(join(packageRoot(), 'templates', name), 'utf8');
}

/** Reads a template that is not text. */
export function readTemplateBytes(name: string): Buffer {
  return readFileSync(join(packageRoot(), 'templates', name));
}

/** The folder of the package, or of the checkout that this runs from. */
export function packageRoot(): string {
  return join(import.meta.dirname, '..');
}

/** The folder of the viewer's built pages. */
export function webFolder(): string {
  return join(packageRoot(), 'dist/web');
}

export function packageVersion(): string {
  const { version } = manifest();
  return typeof version === 'string' ? version : 'unknown';
}

/** Where bugs of this package are reported: `bugs.url` in package.json; undefined if it is not set. */
export function bugAddress(): string | undefined {
  const { bugs } = manifest();
  const { url = bugs } = fieldsOf(bugs);
  return typeof url === 'string' ? url.replace(/\/$/, '') : undefined;
}

function manifest(): Record<string, unknown> {
  return fieldsOf(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));
}

/**
 * The first line that `git-mem hook` prints if `GIT_MEM_REPLY` is set, and `pre-commit` if it stops a commit. Without
 * it the launcher forwards nothing from a program, and git's hook does not let it stop a commit.
 */
export const GREETING = 'git-mem reply 1';
