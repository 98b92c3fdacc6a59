import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitEnvironment } from '../../git/child.ts';
import type { Environment } from '../../user-folders.ts';

/**
 * The environment of whatever a demo starts: a home of its own inside `folder`, and on PATH a git-mem that is `program`.
 * Makes both.
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
    // The demo runs offline: whatever key is set stays unused.
    GIT_MEM_EXTRACT_PROVIDER: 'rules',
  };
}
