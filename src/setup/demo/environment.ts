import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitEnvironment } from '../../git/child.ts';
import type { Environment } from '../../user-folders.ts';

/**
 * The environment of everything that a demo starts: its own home inside `folder`, and `program` as git-mem on PATH.
 * Creates both.
 */
export function createEnvironment(folder: string, program: string): Environment {
  const bin = join(folder, 'bin');
  const home = join(folder, 'home');
  for (const dir of [bin, home]) mkdirSync(dir, { recursive: true });
  writeFileSync(join(bin, 'git-mem'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'git-mem'), 0o755);
  return {
    ...gitEnvironment(process.env),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    // The demo runs offline: it uses no key, even if one is set.
    GIT_MEM_EXTRACT_PROVIDER: 'rules',
  };
}

/** Writes a file of a repository, with its folders. */
export function write(repository: string, path: string, content: string): void {
  const file = join(repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
