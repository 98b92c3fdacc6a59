import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fieldsOf } from './json.ts';

/** Reads a file of `templates/`, which is beside `src/` in a checkout and beside `dist/` in the package. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`../templates/${name}`, import.meta.url), 'utf8');
}

/** Reads a template that is not text. */
export function readTemplateBytes(name: string): Buffer {
  return readFileSync(new URL(`../templates/${name}`, import.meta.url));
}

/** The folder of the package, or of the checkout that this runs from. */
export function packageRoot(): string {
  return fileURLToPath(new URL('../', import.meta.url));
}

/** The folder of the viewer's built pages. */
export function webFolder(): string {
  return fileURLToPath(new URL('../dist/web/', import.meta.url));
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
  return fieldsOf(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));
}

/**
 * The first line that `git-mem hook` prints if `GIT_MEM_REPLY` is set, and `pre-commit` if it stops a commit. Without
 * it the launcher passes nothing on from a program, and git's hook lets no program stop a commit.
 */
export const GREETING = 'git-mem reply 1';
