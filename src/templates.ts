import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Reads a file of `templates/`, which lies beside `src/` in a checkout and beside `dist/` in the package. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`../templates/${name}`, import.meta.url), 'utf8');
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
  return packageManifest().version;
}

/** What the package says of itself: its version, and where bugs are reported, which is filled in when it is published. */
export function packageManifest(): { version: string; bugs: string | undefined } {
  const { version = 'unknown', bugs }: { version?: string; bugs?: { url?: string } } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return { version, bugs: bugs?.url };
}

/** What `git-mem hook` says first where `GIT_MEM_REPLY` is set: the launcher hands nothing on of a program that does not. */
export const GREETING = 'git-mem reply 1';
