import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Reads a file of `templates/`, which lies beside `src/` in a checkout and beside `dist/` in the package. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`../templates/${name}`, import.meta.url), 'utf8');
}

/** A template that is no text. */
export function readTemplateBytes(name: string): Buffer {
  return readFileSync(new URL(`../templates/${name}`, import.meta.url));
}

/** The folder of the package, or of the checkout that this runs from. */
export function packageRoot(): string {
  return fileURLToPath(new URL('../', import.meta.url));
}

/** Where the viewer's built pages lie. */
export function webFolder(): string {
  return fileURLToPath(new URL('../dist/web/', import.meta.url));
}

/** The version of this package. */
export function packageVersion(): string {
  const version = manifest().get('version');
  return typeof version === 'string' ? version : 'unknown';
}

/** Where bugs of this package are reported, as `bugs.url` in package.json has it; undefined where it names no place. */
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
 * What `git-mem hook` says first where `GIT_MEM_REPLY` is set, and `pre-commit` where it stops a commit: the launcher hands
 * nothing on of a program that does not, and git's hook lets none stop a commit.
 */
export const GREETING = 'git-mem reply 1';
