import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

/** The version of this package. */
export function packageVersion(): string {
  const version = manifest().get('version');
  return typeof version === 'string' ? version : 'unknown';
}

/** Where bugs of this package are reported: `bugs.url` in package.json; undefined if it is not set. */
export function bugAddress(): string | undefined {
  const bugs: unknown = manifest().get('bugs');
  const url: unknown = typeof bugs === 'object' && bugs !== null && 'url' in bugs ? bugs.url : bugs;
  return typeof url === 'string' ? url.replace(/\/$/, '') : undefined;
}

function manifest(): Map<string, unknown> {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return new Map(Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {}));
}

/**
 * The first line that `git-mem hook` prints if `GIT_MEM_REPLY` is set, and `pre-commit` if it stops a commit. Without
 * it the launcher passes nothing on from a program, and git's hook lets no program stop a commit.
 */
export const GREETING = 'git-mem reply 1';
